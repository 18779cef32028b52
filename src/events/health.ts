import type { Health } from '../kernel/health.ts';
import type { JsonlStatus } from './jsonl.ts';
import type { WatchStatus } from './tail.ts';
import type { WebhookStatus } from './webhook.ts';

export interface EventPlaces {
  readonly jsonl?: JsonlStatus;
  readonly webhooks?: WebhookStatus[];
  readonly watch?: WatchStatus[];
}

/** Health of the places events go to and come from. */
export function eventHealth({ jsonl, webhooks = [], watch = [] }: EventPlaces): Health[] {
  return [...(jsonl ? [jsonlHealth(jsonl)] : []), ...webhooks.map(webhookHealth), ...watch.map(watchHealth)];
}

function jsonlHealth({ lost, error, since, retryAt }: JsonlStatus): Health {
  const named = { name: 'event files', kind: 'events' } as const;
  const missing = lost > 0 ? { detail: `${lost} events are missing from the files; the store has them` } : {};
  if (error === undefined) return { ...named, ...missing, state: 'ready' };
  return {
    ...named,
    ...missing,
    state: 'failing',
    ...(since !== undefined && { since, lastError: { message: `Cannot write event files: ${error}`, at: since } }),
    ...(retryAt !== undefined && { retryAt }),
    fix: 'Check events.jsonl: it must be a directory that this user may write to, on a disk with free space.',
  };
}

function webhookHealth({ name, state, problem, full, waiting, retryAt }: WebhookStatus): Health {
  const named = { name: `webhook ${name}`, kind: 'webhook' } as const;
  if (full) {
    const detail = `its queue is full (${waiting} events): new events are not queued until there is room`;
    return { ...named, state: 'failing', detail, ...errorOf(problem), ...(retryAt !== undefined && { retryAt }) };
  }
  if (problem) return { ...named, state: 'failing', ...errorOf(problem), ...(retryAt !== undefined && { retryAt }) };
  if (state === 'elsewhere')
    return { ...named, state: 'ready', detail: 'another replica or process delivers its events' };
  return { ...named, state: 'ready' };
}

const errorOf = (problem: WebhookStatus['problem']) =>
  problem ? { since: problem.since, lastError: { message: problem.reason, at: problem.since } } : {};

function watchHealth({ file, state, problem, since, optional }: WatchStatus): Health {
  const named = { name: `watched ${file}`, kind: 'watch', ...(since !== undefined && { since }) } as const;
  if (problem !== undefined)
    return { ...named, state: 'failing', ...(since !== undefined && { lastError: { message: problem, at: since } }) };
  if (state === 'elsewhere') return { ...named, state: 'ready', detail: 'another replica reads it' };
  if (state === 'missing' && optional) return { ...named, state: 'ready', detail: 'the file does not exist yet' };
  if (state === 'missing')
    return {
      ...named,
      state: 'starting',
      detail: 'the file does not exist yet; Sluice reads it once it does',
      fix: 'If the file should exist, check its path in events.watch.',
    };
  return { ...named, state: 'ready' };
}
