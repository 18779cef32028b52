import type { TableValue } from '../../store/store.ts';
import type { Memory, Wanted } from '../engine.ts';
import type { Dialect } from './dialect.ts';

export interface Condition {
  /** About `m`, a row of `memories`. */
  readonly sql: string;
  readonly values: readonly TableValue[];
}

/** The labels of a memory: a tag each, and each plain value of its metadata. */
export function labelsOf({ tags, metadata }: Pick<Memory, 'tags' | 'metadata'>): string[] {
  const values = Object.entries(metadata).flatMap(([key, value]) =>
    typeof value === 'object' || value === undefined ? [] : [metadataLabel(key, value)],
  );
  return [...new Set([...tags.map(tagLabel), ...values])];
}

const tagLabel = (tag: string): string => `t:${tag}`;
/** JSON, so that the text "8" and the number 8 are different values. */
const metadataLabel = (key: string, value: unknown): string => `m:${JSON.stringify(key)}=${JSON.stringify(value)}`;

const HAS_LABEL = 'EXISTS (SELECT 1 FROM memory_labels l WHERE l.memory = m.number AND l.label = ?)';

/** Which rows of `memories m` are wanted, in these spaces. */
export function conditionOf(wanted: Wanted, spaces: readonly number[], { isNumber }: Dialect): Condition {
  const { now, validAt, tags = [], metadata = {}, recordedFrom, recordedBefore, pinned } = wanted;
  const labels = [...tags.map(tagLabel), ...Object.entries(metadata).map(([key, value]) => metadataLabel(key, value))];
  const parts: readonly (readonly [string, ...TableValue[]])[] = [
    [`m.space ${isNumber}`, JSON.stringify(spaces)],
    ['(m.expires_at IS NULL OR m.expires_at > ?)', now],
    ...(validAt === undefined
      ? []
      : ([['m.valid_from <= ? AND (m.valid_to IS NULL OR m.valid_to > ?)', validAt, validAt]] as const)),
    ...labels.map((label) => [HAS_LABEL, label] as const),
    ...(recordedFrom === undefined ? [] : ([['m.recorded_at >= ?', recordedFrom]] as const)),
    ...(recordedBefore === undefined ? [] : ([['m.recorded_at < ?', recordedBefore]] as const)),
    ...(pinned === undefined ? [] : ([['m.pinned = ?', pinned ? 1 : 0]] as const)),
  ];
  return {
    sql: parts.map(([sql]) => sql).join(' AND '),
    values: parts.flatMap(([, ...values]) => values),
  };
}

/** Whether it may leave out most memories of a namespace, unlike validity and expiry. */
export const isSelective = ({ tags, metadata, recordedFrom, recordedBefore, pinned }: Wanted): boolean =>
  (tags?.length ?? 0) > 0 ||
  Object.keys(metadata ?? {}).length > 0 ||
  recordedFrom !== undefined ||
  recordedBefore !== undefined ||
  pinned !== undefined;
