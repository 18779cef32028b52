import type { Selection } from '../event-query.ts';

/**
 * Number of ids in a block. Each full block has a digest of what it may contain, built in the background, so that a
 * query can skip blocks. An index would help some queries too, but every call would pay for it.
 */
export const BLOCK = 4096;

export interface Digest {
  readonly minAt: number;
  readonly maxAt: number;
  readonly types: readonly string[];
  /** Status, source, tool and principal of its events; undefined if there were too many. */
  readonly terms: ReadonlySet<string> | undefined;
  /** A Bloom filter of the trace ids. */
  readonly traces: Uint8Array;
}

export interface DigestedEvent {
  at: number;
  trace_id: string;
  event_type: string;
  status: string;
  data: string;
}

const MAX_TERMS = 2000;
const FAILED_CALL = 'tool.call_failed';

export function digestOf(events: readonly DigestedEvent[]): Digest {
  let minAt = Number.POSITIVE_INFINITY;
  let maxAt = Number.NEGATIVE_INFINITY;
  const types = new Set<string>();
  const terms = new Set<string>();
  const traces = new Uint8Array(BLOOM_BYTES);
  for (const { at, trace_id, event_type, status, data } of events) {
    if (at < minAt) minAt = at;
    if (at > maxAt) maxAt = at;
    types.add(event_type);
    terms.add(term('status', status));
    const { source, backend, server, tool, principal } = JSON.parse(data) as Record<string, unknown>;
    const failed = status === 'failure' || event_type === FAILED_CALL;
    for (const name of [source, backend, server]) addTerm(terms, 'source', name, failed);
    addTerm(terms, 'tool', tool, failed);
    addTerm(terms, 'principal', principal, failed);
    for (const bit of bitsOf(trace_id)) traces[bit >> 3] = (traces[bit >> 3] as number) | (1 << (bit & 7));
  }
  return { minAt, maxAt, types: [...types], terms: terms.size > MAX_TERMS ? undefined : terms, traces };
}

/** False only if no event of the block can match. */
export function mayHold(digest: Digest, selection: Selection): boolean {
  const { since, until, trace, type, typePrefix, audit, status, source, tool, principal, own } = selection;
  if (since !== undefined && digest.maxAt < since) return false;
  if (until !== undefined && digest.minAt >= until) return false;
  if (type !== undefined && !digest.types.includes(type)) return false;
  if (typePrefix !== undefined && !digest.types.some((known) => known.startsWith(typePrefix))) return false;
  if (audit && !digest.types.some((known) => audit.includes(known))) return false;
  const { terms } = digest;
  if (terms) {
    const failed = status === 'failure' || type === FAILED_CALL;
    if (status !== undefined && !terms.has(term('status', status))) return false;
    if (source !== undefined && !terms.has(term('source', source, failed))) return false;
    if (tool !== undefined && !terms.has(term('tool', tool, failed))) return false;
    if (principal !== undefined && !terms.has(term('principal', principal, failed))) return false;
    if (own && !terms.has(term('principal', own.principal, failed))) return false;
  }
  return (
    trace === undefined || bitsOf(trace).every((bit) => ((digest.traces[bit >> 3] as number) & (1 << (bit & 7))) !== 0)
  );
}

type Kind = 'status' | 'source' | 'tool' | 'principal';

/** Failures get a separate term: the most common search is for the failures of one tool among many calls. */
function addTerm(terms: Set<string>, kind: Kind, value: unknown, failed: boolean): void {
  if (typeof value !== 'string') return;
  terms.add(term(kind, value));
  if (failed) terms.add(term(kind, value, true));
}

function term(kind: Kind, value: string, failed = false): string {
  return `${failed ? 'failed ' : ''}${kind}:${value}`;
}

/** 2,000 traces per block with four bits each: one block in 400 is read in vain. */
const BLOOM_BYTES = 4096;

function bitsOf(text: string): number[] {
  // FNV-1a, and a second hash from the other end. Trace ids can come from anywhere and need not be random.
  let one = 0x811c9dc5;
  let two = 0x9747b28c;
  for (let i = 0; i < text.length; i++) {
    one = Math.imul(one ^ text.charCodeAt(i), 0x01000193);
    two = Math.imul(two ^ text.charCodeAt(text.length - 1 - i), 0x5bd1e995);
  }
  two = (two ^ (two >>> 15)) | 1;
  const bits = BLOOM_BYTES * 8;
  return [0, 1, 2, 3].map((step) => ((one + Math.imul(step, two)) >>> 0) % bits);
}
