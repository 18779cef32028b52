import type { Json } from '../../kernel/source.ts';
import type { Seen, State } from '../status/seen.ts';

/** Words that tools use for how something is doing. Others say nothing bad. */
const words: ReadonlyMap<string, State> = new Map([
  ...['failed', 'failing', 'failure', 'error', 'down', 'critical', 'unhealthy', 'crashed', 'dead'].map(
    (word) => [word, 'failing'] as const,
  ),
  ...['warning', 'degraded', 'paused', 'stopped', 'pending', 'starting', 'stale'].map(
    (word) => [word, 'warning'] as const,
  ),
  ['unknown', 'unknown'],
]);

/** What the answer of a tool means that was chosen as a check: it answered, unless its answer says otherwise. */
export function ownCheckSeen(data: Json, text: string): Seen {
  const { state, status, health } = data;
  const said = [state, status, health].find((one) => typeof one === 'string');
  const isBad = data.ok === false || data.healthy === false;
  const meant = isBad ? 'failing' : (typeof said === 'string' && words.get(said.toLowerCase())) || 'ok';
  return { state: meant, seen: typeof said === 'string' ? said : text || 'it answered' };
}
