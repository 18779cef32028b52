import type { Schemas } from '@qdrant/js-client-rest';
import type { Wanted } from '../engine.ts';
import { labelOf } from './points.ts';

export type Filter = Schemas['Filter'];
type Condition = Schemas['Condition'];

export const is = (key: string, value: string | number | boolean): Condition => ({ key, match: { value } });
export const isOneOf = (key: string, any: readonly string[]): Condition => ({ key, match: { any: [...any] } });
export const within = (key: string, range: Schemas['Range']): Condition => ({ key, range });
const isAbsent = (key: string): Condition => ({ is_empty: { key } });
export const hasId = (ids: readonly string[]): Condition => ({ has_id: [...ids] });

/** The point that carries the whole memory. */
export const FIRST = is('passage', 0);
/** The version that no other supersedes. */
export const LAST_VERSION = isAbsent('superseded_by');
const STAGED = is('staged', true);

/** What fits and is not just being written. */
export const stored = (...must: Condition[]): Filter => ({ must, must_not: [STAGED] });
/** What is being written, or was when its process was killed. */
export const staged = (...must: Condition[]): Filter => ({ must: [STAGED, ...must] });
/** Also what is being written: changes and deletions must not miss it. */
export const every = (...must: Condition[]): Filter => ({ must });

export const unexpired = (now: number): Condition => within('expires_ms', { gt: now });

export const validAt = (at: number): Condition[] => [
  within('valid_from_ms', { lte: at }),
  within('valid_to_ms', { gt: at }),
];

export function conditionsOf(wanted: Wanted): Condition[] {
  const recorded = {
    ...(wanted.recordedFrom !== undefined && { gte: wanted.recordedFrom }),
    ...(wanted.recordedBefore !== undefined && { lt: wanted.recordedBefore }),
  };
  return [
    isOneOf('namespace', wanted.namespaces),
    unexpired(wanted.now),
    ...(wanted.validAt === undefined ? [] : validAt(wanted.validAt)),
    ...(wanted.tags ?? []).map((tag) => is('tags', tag.toWellFormed())),
    ...Object.entries(wanted.metadata ?? {}).map(([key, value]) => is('labels', labelOf(key, value))),
    ...(Object.keys(recorded).length > 0 ? [within('recorded_ms', recorded)] : []),
    ...(wanted.pinned === undefined ? [] : [is('pinned', wanted.pinned)]),
  ];
}
