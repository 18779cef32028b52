import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';
import type { MemoryEngine, NewMemory } from '../engine.ts';
import type { Collection, Collections } from './collections.ts';
import { isOneOf, staged } from './filters.ts';
import { type NewPoint, pointIdOf, pointsOf } from './points.ts';
import type { Requests } from './requests.ts';
import type { Mark, Staging } from './staging.ts';

/** How often another import of the same origins is waited for. */
const ATTEMPTS = 600;
const WAIT_MS = 250;
const IDS_AT_ONCE = 1000;

interface Prepared {
  readonly memory: NewMemory['memory'];
  readonly collection: Collection;
  readonly points: readonly NewPoint[];
}

/**
 * Adds memories. One insert is all or none: Qdrant logs it as a whole, and has one shard for it. More than fits into a
 * request, or into one collection, is staged.
 *
 * Passages of the same origin have the same point ids, and an insert leaves points alone that exist. So of two imports at
 * once the first one is stored, and the other learns by reading back that it came second. Only if its text was longer,
 * points are left of it, which it removes. Killed in that moment it leaves passages without a memory: they are found, but
 * belong to no memory that `get` knows.
 */
export function adding(
  requests: Requests,
  collections: Collections,
  { stage, isAbandoned, fitsIntoOneRequest }: Staging,
): MemoryEngine['add'] {
  const mayClash = ({ memory }: Prepared): boolean => memory.origin !== undefined;

  /** Who has the points of these memories' origins: their memories' ids, and the marks of those that are staged. */
  async function holders(of: readonly Prepared[]): Promise<Map<string, { readonly id: string } & Mark>> {
    const clashing = of.filter(mayClash);
    const holder = new Map<string, { readonly id: string } & Mark>();
    for (const collection of clashing.length === 0 ? [] : await collections.all())
      for (let from = 0; from < clashing.length; from += IDS_AT_ONCE) {
        const ids = clashing.slice(from, from + IDS_AT_ONCE).map(({ memory }) => pointIdOf(memory, 0));
        const fields = ['id', 'staged', 'staged_ms', 'batch'];
        // One that moves to another collection is staged there, and stored here.
        for (const { id, payload } of await requests.retrieve<{ id: string } & Mark>(collection, ids, { fields }))
          if (!holder.has(id) || holder.get(id)?.staged) holder.set(id, payload);
      }
    return holder;
  }

  async function prepare(memories: readonly NewMemory[]): Promise<Prepared[]> {
    const places = new Map<string, Collection>();
    const origins = new Set<string>();
    const prepared: Prepared[] = [];
    for (const one of memories) {
      const { namespace, origin } = one.memory;
      if (origin !== undefined) {
        const key = JSON.stringify([namespace, origin]);
        if (origins.has(key)) continue;
        origins.add(key);
      }
      // Passages with vectors of other models wait for one of this model.
      const vector = one.passages.find((passage) => passage.vector)?.vector;
      const key = vector?.model ?? '';
      const collection =
        places.get(key) ??
        (vector
          ? await collections.ensured({ key: vector.model, dimensions: vector.bytes.length })
          : await collections.current());
      places.set(key, collection);
      prepared.push({ memory: one.memory, collection, points: pointsOf(one, collection.model, collection.dimensions) });
    }
    return prepared;
  }

  /** Removes what another import of the same origin left no place for. */
  async function withoutLost(
    all: readonly Prepared[],
    clean: (lost: readonly Prepared[]) => Promise<void>,
  ): Promise<string[]> {
    const holder = await holders(all);
    const isLost = (one: Prepared) => mayClash(one) && holder.get(pointIdOf(one.memory, 0))?.id !== one.memory.id;
    const lost = all.filter(isLost);
    if (lost.length > 0) await clean(lost);
    return all.filter((one) => !lost.includes(one)).map(({ memory }) => memory.id);
  }

  /** Undefined if another import of some of them is under way. */
  async function attempt(prepared: readonly Prepared[]): Promise<readonly string[] | undefined> {
    const holder = await holders(prepared);
    const taken = prepared.flatMap((one) => holder.get(pointIdOf(one.memory, 0)) ?? []);
    if (taken.some((mark) => mark.staged && !isAbandoned(mark))) return undefined;
    const abandoned = taken.flatMap(({ batch, staged: isStaged }) => (isStaged && batch !== undefined ? [batch] : []));
    if (abandoned.length > 0)
      for (const collection of await collections.all())
        await requests.remove(collection, staged(isOneOf('batch', [...new Set(abandoned)])));

    const fresh = prepared.filter(({ memory }) => {
      const held = holder.get(pointIdOf(memory, 0));
      return !held || held.staged;
    });
    const parts = [...Map.groupBy(fresh, ({ collection }) => collection)].map(([collection, some]) => ({
      collection,
      points: some.flatMap(({ points }) => points),
    }));
    const [only, ...more] = parts;
    if (!only) return [];
    const removed = (lost: readonly Prepared[]) =>
      isOneOf(
        'id',
        lost.map(({ memory }) => memory.id),
      );

    if (more.length === 0 && fitsIntoOneRequest(only.points)) {
      await requests.insert(only.collection, only.points);
      return withoutLost(fresh, async (lost) => requests.remove(only.collection, { must: [removed(lost)] }));
    }

    const batch = await stage(parts);
    const others = await holders(fresh);
    if ([...others.values()].some((mark) => mark.staged && mark.batch !== batch.token)) {
      await batch.discard();
      return undefined;
    }
    const ids = await withoutLost(fresh, async (lost) => {
      for (const { collection } of parts) await requests.remove(collection, staged(removed(lost)));
    });
    await batch.inTime();
    await batch.publish();
    return ids;
  }

  return async (memories) => {
    if (memories.length === 0) return [];
    const prepared = await prepare(memories);
    for (let count = 0; count < ATTEMPTS; count++) {
      const added = await attempt(prepared);
      if (added) return added;
      await delay(WAIT_MS * (0.5 + Math.random()));
    }
    throw new AppError('unavailable', 'Another import of the same memories is under way. Try again when it is done.');
  };
}
