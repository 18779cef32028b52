import type { Hit, Memory, MemoryEngine } from '../engine.ts';
import type { Collection, Collections } from './collections.ts';
import { conditionsOf, FIRST, is, isOneOf, stored, within, type Filter } from './filters.ts';
import { AGE_FIELDS, ageOf, denseOf, memoryOf, type MemoryPayload } from './points.ts';
import type { Point, Requests, Scored } from './requests.ts';
import { askedFor } from './sparse.ts';
import type { Staging } from './staging.ts';

const IDS_AT_ONCE = 500;
const VERSIONS_AT_ONCE = 1000;
/** Of the first point the text is the whole memory, of the others their passage. */
const HIT_FIELDS = ['id', 'passage', 'passage_text', 'text'];

type Reading = Pick<MemoryEngine, 'get' | 'ages' | 'byWords' | 'byMeaning' | 'page' | 'versions' | 'roots'>;
type First = Point<MemoryPayload>;

export function reading(requests: Requests, collections: Collections, { sweep }: Staging): Reading {
  /** What moves from one collection to the other is in both for a moment. */
  async function everywhere<T>(
    read: (collection: Collection) => Promise<readonly T[]>,
    key: (one: T) => string,
  ): Promise<T[]> {
    const found = new Map<string, T>();
    for (const collection of await collections.all())
      for (const one of await read(collection)) found.set(key(one), one);
    return [...found.values()];
  }

  async function firsts(ids: readonly string[], fields?: readonly string[]): Promise<First[]> {
    const found: First[] = [];
    for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
      const some = ids.slice(from, from + IDS_AT_ONCE);
      const filter = stored(FIRST, isOneOf('id', some));
      found.push(
        ...(await everywhere(
          (collection) =>
            requests.scroll<MemoryPayload>(collection, filter, { limit: some.length, ...(fields && { fields }) }),
          ({ payload }) => payload.id,
        )),
      );
    }
    return found;
  }

  async function versionsOf(root: string): Promise<Memory[]> {
    const filter = stored(FIRST, is('root', root));
    const found = await everywhere(
      (collection) => requests.scroll<MemoryPayload>(collection, filter, { limit: VERSIONS_AT_ONCE }),
      ({ payload }) => payload.id,
    );
    return chained(found.map(({ payload }) => memoryOf(payload)));
  }

  /** Newest first, then by id: the order of Qdrant where times are equal is its own business. */
  async function newest(
    collection: Collection,
    conditions: Filter['must'] & object[],
    limit: number,
    after: First | undefined,
  ): Promise<First[]> {
    const filter = (...more: Parameters<typeof stored>) =>
      stored(FIRST, ...(conditions as Parameters<typeof stored>), ...more);
    const of = (time: number) => filter(within('recorded_ms', { gte: time, lte: time }));
    const found: First[] = [];
    if (after) {
      const same = { limit: limit + 1, from: after.id };
      const rest = await requests.scroll<MemoryPayload>(collection, of(after.payload.recorded_ms), same);
      found.push(...rest.filter(({ id }) => id !== after.id).slice(0, limit));
    }
    const left = limit - found.length;
    if (left <= 0) return found;
    const older = after ? filter(within('recorded_ms', { lt: after.payload.recorded_ms })) : filter();
    const next = await requests.scroll<MemoryPayload>(collection, older, { limit: left, newestFirst: true });
    const last = next.at(-1)?.payload.recorded_ms;
    if (last === undefined) return found;
    // Some of the last time may be missing, and which ones is Qdrant's choice: read them again by id.
    const whole = next.filter(({ payload }) => payload.recorded_ms !== last);
    const cut = await requests.scroll<MemoryPayload>(collection, of(last), { limit: left - whole.length });
    return [...found, ...whole, ...cut].sort(byTimeThenId);
  }

  async function hits(
    read: (collection: Collection) => Promise<readonly Scored<MemoryPayload>[]>,
    limit: number,
    within?: readonly Collection[],
  ): Promise<Hit[]> {
    const found = new Map<string, Hit>();
    for (const collection of within ?? (await collections.all()))
      for (const { score, payload } of await read(collection)) {
        const { id, passage, passage_text, text } = payload;
        found.set(`${id} ${passage}`, { id, passage, text: passage_text ?? text, score });
      }
    return [...found.values()].sort((one, other) => other.score - one.score).slice(0, limit);
  }

  return {
    async get(ids) {
      const found = new Map((await firsts([...new Set(ids)])).map(({ payload }) => [payload.id, memoryOf(payload)]));
      return ids.flatMap((id) => found.get(id) ?? []);
    },

    async ages(ids) {
      const found = await firsts([...new Set(ids)], AGE_FIELDS);
      return new Map(found.map(({ payload }) => [payload.id, ageOf(payload)]));
    },

    async byWords(terms, wanted, limit) {
      const query = askedFor(terms);
      if (!query || wanted.namespaces.length === 0 || limit <= 0) return [];
      const filter = stored(...conditionsOf(wanted));
      return hits((collection) => requests.nearest(collection, query, filter, limit, HIT_FIELDS), limit);
    },

    async byMeaning({ model, bytes }, wanted, limit) {
      const collection = await collections.of(model);
      if (!collection || wanted.namespaces.length === 0 || limit <= 0) return [];
      const query = denseOf(bytes, collection.dimensions);
      const filter = stored(...conditionsOf(wanted));
      return hits(() => requests.nearest(collection, query, filter, limit, HIT_FIELDS), limit, [collection]);
    },

    async page(wanted, limit, afterId) {
      if (wanted.namespaces.length === 0 || limit <= 0) return [];
      const [after] = afterId === undefined ? [] : await firsts([afterId]);
      if (afterId !== undefined && !after) return [];
      const conditions = conditionsOf(wanted);
      const found = await everywhere(
        (collection) => newest(collection, conditions, limit, after),
        ({ id }) => id,
      );
      return found
        .sort(byTimeThenId)
        .slice(0, limit)
        .map(({ payload }) => memoryOf(payload));
    },

    async versions(root) {
      const found = await versionsOf(root);
      const next = found.at(-1)?.supersededBy;
      if (next === undefined) return found;
      // Its process was killed before it published the successor.
      await sweep();
      return versionsOf(root);
    },

    async roots(wanted, limit) {
      if (wanted.namespaces.length === 0 || limit <= 0) return [];
      const filter = stored(FIRST, ...conditionsOf(wanted));
      const found = await everywhere(
        (collection) => requests.values<string>(collection, 'root', filter, limit),
        ({ value }) => value,
      );
      return found.slice(0, limit).map(({ value }) => value);
    },
  };
}

const byTimeThenId = (one: First, other: First): number =>
  other.payload.recorded_ms - one.payload.recorded_ms || (one.id < other.id ? -1 : one.id > other.id ? 1 : 0);

/** Oldest first: each is followed by the one that supersedes it. */
function chained(versions: readonly Memory[]): Memory[] {
  const byId = new Map(versions.map((version) => [version.id, version]));
  const chain: Memory[] = [];
  let next = versions.find(({ supersedes }) => supersedes === undefined || !byId.has(supersedes));
  while (next && byId.delete(next.id)) {
    chain.push(next);
    next = byId.get(next.supersededBy ?? '');
  }
  return [...chain, ...[...byId.values()].sort((one, other) => one.recordedAt - other.recordedAt)];
}
