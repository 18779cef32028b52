import type { Memory } from '../engine.ts';
import { iso } from '../times.ts';
import type { NewImport } from './item.ts';

/** One version of a memory as a line of the export, with everything that is known about it. */
export const lineOf = (memory: Memory): string =>
  JSON.stringify({
    type: 'memory',
    id: memory.id,
    root: memory.root,
    namespace: memory.namespace,
    text: memory.text,
    tags: memory.tags,
    metadata: memory.metadata,
    recorded_at: iso(memory.recordedAt),
    valid_from: iso(memory.validFrom),
    ...time('valid_to', memory.validTo),
    ...time('expires_at', memory.expiresAt),
    pinned: memory.pinned,
    supersedes: memory.supersedes,
    superseded_by: memory.supersededBy,
    origin: memory.origin,
    by: memory.by,
    recalls: memory.recalls,
    ...time('recalled_at', memory.recalledAt),
  });

/** The same for something that is about to be imported. */
export const lineOfImport = (memory: NewImport): string =>
  JSON.stringify({
    type: 'memory',
    id: memory.id,
    namespace: memory.namespace,
    text: memory.text,
    tags: memory.tags,
    metadata: memory.metadata,
    ...time('recorded_at', memory.recordedAt),
    ...time('valid_from', memory.validFrom),
    ...time('valid_to', memory.validTo),
    ...time('expires_at', memory.expiresAt),
    pinned: memory.pinned,
    supersedes: memory.supersedes,
    origin: memory.origin,
    by: memory.by,
    recalls: memory.recalls,
    ...time('recalled_at', memory.recalledAt),
  });

const time = (key: string, value: number | undefined) => (value === undefined ? {} : { [key]: iso(value) });
