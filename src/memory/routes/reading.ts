import type { z } from 'zod';
import { askedIn } from '../../kernel/described.ts';
import { own } from '../../kernel/own.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import { spoken } from '../namespaces/belonging.ts';
import type { Memory } from '../engine.ts';
import { shortened } from '../shortened.ts';
import { iso } from '../times.ts';
import { type OpenMemory, shownMemory } from '../tool.ts';
import {
  type listAnswer,
  listQuery,
  type memoryAnswer,
  type namespacesAnswer,
  type nearAnswer,
  type stateAnswer,
} from './answers.ts';

const MOST_FOUND = 50;
const MOST_VERSIONS = 200;
const LONGEST_BEGINNING = 300;

type Asked = z.output<typeof listQuery>;

export async function list(
  memory: OpenMemory,
  { request, principal }: RouteRequest,
): Promise<z.infer<typeof listAnswer>> {
  const { query, limit, cursor, ...filter } = askedIn(listQuery, request);
  if (query !== undefined) return found(memory, { query, limit, ...filter }, { request, principal });
  const page = await memory.memory.page(filterOf(filter), limit, cursor, principal);
  const last = page.memories.at(-1);
  return {
    memories: page.memories.map((one) => ({ ...inList(one), ...shortened(one.text) })),
    ...(last && page.more && { cursor: page.cursorAfter(last) }),
  };
}

async function found(
  { memory }: OpenMemory,
  { query, limit, ...filter }: Asked & { query: string },
  { request: { signal }, principal }: Pick<RouteRequest, 'request' | 'principal'>,
): Promise<z.infer<typeof listAnswer>> {
  const { pinned: _, history: __, ...narrowed } = filterOf(filter);
  const asked = { principal, signal };
  const results = await memory.search(query, narrowed, Math.min(limit, MOST_FOUND), asked, { isRecall: false });
  return {
    memories: results.found.map(({ memory: one, passage, score, why }) => {
      const { text } = shortened(passage);
      return {
        ...inList(one),
        text,
        ...(text.length < one.text.length && { truncated: true }),
        score,
        why: { ...why },
      };
    }),
    ...(results.trouble !== undefined && { note: `Found by words only: ${results.trouble}` }),
  };
}

function filterOf({ tags, pinned, history, cursor: _, ...filter }: Omit<Asked, 'query' | 'limit'>) {
  const named = tags?.split(',').flatMap((tag) => tag.trim() || []);
  return {
    ...filter,
    ...(named && named.length > 0 && { tags: named }),
    ...(pinned !== undefined && { pinned: pinned === 'true' }),
    ...(history === 'true' && { history: true }),
  };
}

/** Metadata may be long, and a page has hundreds of memories. */
function inList(memory: Memory) {
  const { metadata: _, ...shown } = shownMemory(memory);
  return { ...shown, ...(memory.recalls > 0 && { recalls: memory.recalls }) };
}

export async function one(
  { memory }: OpenMemory,
  { params, principal }: RouteRequest,
): Promise<z.infer<typeof memoryAnswer>> {
  const id = own(params, 'id') ?? '';
  const [shown, versions] = await Promise.all([memory.get(id, principal), memory.versions(id, principal)]);
  const newest = versions.toReversed();
  const left = newest.length - MOST_VERSIONS;
  return {
    ...shownMemory(shown, { full: true }),
    text: shown.text,
    versions: newest.slice(0, MOST_VERSIONS).map((version) => ({
      id: version.id,
      recorded_at: iso(version.recordedAt),
      valid_from: iso(version.validFrom),
      ...(version.validTo !== undefined && { valid_to: iso(version.validTo) }),
      ...shortened(version.text, LONGEST_BEGINNING),
    })),
    ...(left > 0 && { older: left }),
  };
}

export async function namespaces(
  { memory, namespaces: known }: OpenMemory,
  { principal }: RouteRequest,
): Promise<z.infer<typeof namespacesAnswer>> {
  const mine = await known.list(principal);
  const contents = new Map((await memory.contents(mine.map(({ name }) => name))).map((one) => [one.namespace, one]));
  return {
    namespaces: mine.map(({ name, belongsTo }) => {
      const { memories = 0, versions = 0, pinned = 0, bytes = 0, oldest, newest } = contents.get(name) ?? {};
      return {
        name,
        belongs_to: spoken(belongsTo),
        memories,
        versions,
        pinned,
        bytes,
        ...(oldest !== undefined && { oldest: iso(oldest) }),
        ...(newest !== undefined && { newest: iso(newest) }),
      };
    }),
  };
}

export async function near(
  { memory }: OpenMemory,
  { params, principal, request: { signal } }: RouteRequest,
): Promise<z.infer<typeof nearAnswer>> {
  const { duplicateOf, contradicts } = await memory.alike(own(params, 'id') ?? '', { principal, signal });
  return { ...(duplicateOf !== undefined && { duplicate_of: duplicateOf }), contradicts };
}

export async function state({ memory }: OpenMemory): Promise<z.infer<typeof stateAnswer>> {
  const { engine, model, waiting = 0, trouble } = await memory.stats();
  return {
    stored_in: engine,
    ...(model !== undefined && { model }),
    ...(waiting > 0 && { to_embed: waiting }),
    ...(trouble !== undefined && { problem: trouble }),
  };
}
