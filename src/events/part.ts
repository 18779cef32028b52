import type { Fill } from '../host/config/fill.ts';
import { listIn } from '../host/config/fill.ts';
import { isHttpUrl } from '../host/config/scalars.ts';
import { valueAt } from '../host/config/schema-problems.ts';
import type { Tree } from '../host/config/tree.ts';
import { type Env, type None, part } from '../host/part.ts';
import { WATCHED } from '../kernel/events.ts';
import { eventFacts } from './facts.ts';
import type { EventsApi } from './open.ts';
import { eventsSettings } from './settings.ts';

/** Events beyond the store: files, webhooks, live streams and watched files. */
export const eventsPart = part<EventsApi, typeof eventsSettings, None, typeof eventFacts>({
  settings: eventsSettings,
  facts: eventFacts,
  secretVariables: () => ['N8N_EVENT_WEBHOOK_URL'],
  environment: (file, { env }) => [...webhookFills(file, env), ...watchFills(env), ...filesFills(env)],
  anchor({ events }, resolve) {
    const { jsonl, watch } = events;
    return {
      events: {
        ...events,
        ...(jsonl !== undefined && { jsonl: resolve(jsonl) }),
        ...(watch && { watch: watch.map((file) => ({ ...file, path: resolve(file.path) })) }),
      },
    };
  },
  pages: [
    {
      path: 'activity',
      title: 'Activity',
      scope: 'health:check',
      module: 'events/pages/activity.tsx',
      order: 40,
      key: 'e',
      kinds: ['events', 'webhook', 'watch'],
    },
  ],
  commands: {
    events: {
      summary: 'Shows what happened: calls, servers starting and failing, configuration changes',
      load: async (place) => (await import('./commands/events.ts')).eventsCommand(place),
    },
    webhooks: {
      summary: 'Shows what waits for each webhook, and retries what was set aside',
      load: async (place) => (await import('./commands/webhooks.ts')).webhooksCommand(place),
    },
  },
  open: async (host) => (await import('./open.ts')).openEvents(host),
});

function webhookFills(file: Tree, env: Env): Fill[] {
  const url = env.N8N_EVENT_WEBHOOK_URL?.trim();
  if (!url || valueAt(file, ['events', 'webhook', 'url']) !== undefined) return [];
  const problem = { message: 'is not an http or https URL', fix: 'Set it to the address of the webhook, or unset it.' };
  const variable = 'N8N_EVENT_WEBHOOK_URL';
  return [
    { variable, path: ['events', 'webhook', 'url'], value: url, problem: isHttpUrl(url) ? undefined : problem },
    // Like the gateway this variable comes from: one event per request; watched files and gateway events only.
    { variable, path: ['events', 'webhook', 'batch'], value: 1 },
    { variable, path: ['events', 'webhook', 'filter'], value: [WATCHED, 'gateway.*'] },
  ];
}

function watchFills(env: Env): Fill[] {
  const value = listIn(env.SLUICE_WATCH ?? '');
  return value.length === 0 ? [] : [{ variable: 'SLUICE_WATCH', path: ['events', 'watch'], value }];
}

function filesFills(env: Env): Fill[] {
  const value = env.SLUICE_EVENTS_DIR?.trim();
  return value ? [{ variable: 'SLUICE_EVENTS_DIR', path: ['events', 'jsonl'], value }] : [];
}
