import { isDeepStrictEqual } from 'node:util';
import type { MemoryEngine, Vector } from '../engine.ts';
import type { Collection, Collections } from './collections.ts';
import { Gone } from './connection.ts';
import { hasId, staged, stored, type Filter } from './filters.ts';
import { denseOf, type MemoryPayload, type NewPoint } from './points.ts';
import type { Point, Requests } from './requests.ts';
import type { Mark, Staging } from './staging.ts';

type Moving = Pick<MemoryEngine, 'toEmbed' | 'countToEmbed' | 'embedded'>;
type Given = readonly { readonly passage: string; readonly vector: Vector }[];

const POINTS_AT_ONCE = 200;
const ATTEMPTS = 3;

/** Those of this collection that no model has seen. */
const waitingIn = (collection: Collection, model: string): Filter => {
  const all = stored();
  if (collection.model !== model) return all;
  return { ...all, must_not: [...(all.must_not as object[]), { has_vector: 'meaning' }] };
};

/**
 * Gives passages the vectors of a model. A passage is in the collection of its model, so it moves from another one:
 *
 * 1. A copy is staged in the new collection: nobody sees it.
 * 2. The original is read again. If it was changed or erased meanwhile, the copy is removed, and the passage waits on.
 * 3. The copy is published, then the original is removed. Killed in between, both are there: reads take one of them, and
 *    the next attempt only removes the original.
 *
 * Changes go to the older collections first, then to the new one. So what comes before step 2 shows in the original, and
 * what comes later finds the copy as well: nothing that was erased comes back, and no change is lost.
 */
export function moving(requests: Requests, collections: Collections, { stage }: Staging): Moving {
  async function move(from: Collection, to: Collection, vectors: ReadonlyMap<string, Vector>): Promise<void> {
    const ids = [...vectors.keys()];
    const originals = (await requests.retrieve<Mark>(from, ids, { words: true })).filter(
      ({ payload }) => !payload.staged,
    );
    if (originals.length === 0) return;
    // What a killed process left.
    const copies = originals.map(
      ({ id, vector, payload }): NewPoint => ({
        id,
        vector: { ...vector, meaning: denseOf((vectors.get(id) as Vector).bytes, to.dimensions) },
        payload: { ...payload },
      }),
    );
    await requests.remove(to, staged(hasId(ids)));
    const batch = await stage([{ collection: to, points: copies }]);
    const now = new Map((await requests.retrieve(from, ids)).map((point) => [point.id, point.payload]));
    const changed = originals.filter(({ id, payload }) => !isDeepStrictEqual(now.get(id), payload)).map(({ id }) => id);
    if (changed.length > 0) await requests.remove(to, staged(hasId(changed)));
    await batch.inTime();
    await batch.publish();
    // Another process may do the same and have removed our copies: no original goes before its copy is stored.
    const there = await requests.retrieve<Mark>(to, ids, { fields: ['staged'] });
    const moved = there.filter(({ payload }) => !payload.staged).map(({ id }) => id);
    if (moved.length > 0) await requests.remove(from, { must: [hasId(moved)] });
  }

  /** Sets the vectors of those that are in the right collection already. Returns which ones these were. */
  async function settle(collection: Collection, vectors: ReadonlyMap<string, Vector>): Promise<ReadonlySet<string>> {
    for (let attempt = 1; ; attempt++) {
      const there = await requests.retrieve<Mark>(collection, [...vectors.keys()], { fields: ['staged'] });
      const ids = there.filter(({ payload }) => !payload.staged).map(({ id }) => id);
      try {
        const points = ids.map((id) => ({
          id,
          meaning: denseOf((vectors.get(id) as Vector).bytes, collection.dimensions),
        }));
        if (points.length > 0) await requests.setMeaning(collection, points);
        return new Set(ids);
      } catch (error) {
        // One of them was erased just now.
        if (!(error instanceof Gone) || attempt === ATTEMPTS) throw error;
      }
    }
  }

  async function give(given: Given): Promise<void> {
    const [first] = given;
    if (!first) return;
    const to = await collections.ensured({ key: first.vector.model, dimensions: first.vector.bytes.length });
    const vectors = new Map(given.map(({ passage, vector }) => [passage, vector]));
    const settled = await settle(to, vectors);
    const others = (await collections.all()).filter(({ name }) => name !== to.name);
    for (const from of others) {
      // Both were there: a move was interrupted after its copy was published.
      if (settled.size > 0) await requests.remove(from, stored(hasId([...settled])));
      const rest = new Map([...vectors].filter(([id]) => !settled.has(id)));
      if (rest.size > 0) await move(from, to, rest);
    }
  }

  return {
    async toEmbed(model, limit) {
      const found = new Map<string, string>();
      for (const collection of await collections.all()) {
        const points: Point<MemoryPayload>[] = await requests.scroll(collection, waitingIn(collection, model), {
          limit: limit - found.size,
          fields: ['text', 'passage_text'],
        });
        for (const { id, payload } of points) found.set(id, payload.passage_text ?? payload.text);
      }
      return [...found].map(([passage, text]) => ({ passage, text }));
    },

    async countToEmbed(model) {
      let count = 0;
      for (const collection of await collections.all())
        count += await requests.count(collection, waitingIn(collection, model));
      return count;
    },

    async embedded(vectors) {
      for (const some of Map.groupBy(vectors, ({ vector }) => vector.model).values())
        for (let from = 0; from < some.length; from += POINTS_AT_ONCE)
          await give(some.slice(from, from + POINTS_AT_ONCE));
    },
  };
}
