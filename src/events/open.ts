import { dirname } from 'node:path';
import type { HostOf, OpenPart } from '../host/part.ts';
import type { Gauge } from '../host/gauge.ts';
import type { eventFacts } from './facts.ts';
import { createForwarding, type Outbox } from './forwarding.ts';
import { type EventPlaces, eventHealth } from './health.ts';
import { keepEvents } from './keeping.ts';
import type { eventsSettings, PresetPlaces } from './settings.ts';
import type { Watching } from './watching.ts';

export interface EventsApi {
  /** Whether each call is recorded. */
  recordsCalls(): boolean;
  /** Events for another command of the same user, line by line. */
  feed(wish: unknown, signal: AbortSignal): AsyncGenerator<string>;
  /** Uses what presets add to the configuration. */
  usePresets(places: PresetPlaces): Promise<void>;
  /** The state of recording, forwarding and watching. */
  status(): EventPlaces & { dropped: number };
}

export async function openEvents(host: HostOf<typeof eventsSettings, typeof eventFacts>): Promise<OpenPart<EventsApi>> {
  const { store, events, redact, version, stopping } = host;
  let presets: PresetPlaces = { watch: [] };
  function settings() {
    const given = host.settings().events;
    const { watch: named = [], jsonl = presets.jsonl } = given;
    const others = presets.watch.filter(({ path }) => !named.some((known) => known.path === path));
    // A file that is watched and written to would grow for ever.
    const isWatched = given.jsonl === undefined && named.some(({ path }) => dirname(path) === jsonl);
    return { ...given, watch: [...named, ...others], ...(jsonl !== undefined && !isWatched && { jsonl }) };
  }
  const kept = await keepEvents(
    {
      store,
      log: events,
      redact,
      stopping,
      keepFrom: () => store.outbox.keepFrom((settings().webhook ?? []).map(({ name }) => name)),
    },
    settings(),
  );
  const forwarding = createForwarding({ store, events, version, redact });
  let watching: Watching | undefined;

  async function configure(): Promise<void> {
    const { watch, webhook = [], ...keeping } = settings();
    await kept.configure(keeping);
    await forwarding.configure(webhook);
    if (watch.length > 0) {
      const { createWatching } = await import('./watching.ts');
      watching ??= createWatching({ tails: store.tails, shared: store.shared, events, redact });
    }
    await watching?.configure(watch);
  }
  const status = () => ({ ...kept.status(), ...forwarding.report(), ...watching?.report() });

  return {
    api: {
      recordsCalls: () => settings().calls,
      feed: kept.feed,
      async usePresets(places) {
        presets = places;
        await configure();
      },
      status,
    },
    routes: kept.routes,
    observers: kept.observers,
    health: () => eventHealth(status()),
    gauges: () => outboxGauges(forwarding.outbox()),
    // Before the first call, so that webhooks receive its events.
    begin: configure,
    reload: configure,
    async [Symbol.asyncDispose]() {
      await using ending = new AsyncDisposableStack();
      ending.use(kept);
      ending.use(forwarding);
      // Store everything recorded so far while the forwarders still run.
      ending.defer(() => events.flush().catch(() => {}));
      ending.use(watching);
    },
  };
}

function outboxGauges(outbox: Outbox | undefined): Gauge[] {
  const gauge = (name: string, help: string, read: (outbox: Outbox) => number): Gauge => ({
    name,
    help,
    type: 'gauge',
    values: outbox ? [{ value: read(outbox) }] : [],
  });
  return [
    gauge('sluice_outbox_depth', 'Events waiting to be delivered to webhooks', ({ depth }) => depth),
    gauge('sluice_outbox_dead_events', 'Events set aside because their receiver refuses them', ({ dead }) => dead),
    gauge('sluice_outbox_oldest_seconds', 'Age of the oldest waiting event', ({ oldestSeconds }) => oldestSeconds),
  ];
}
