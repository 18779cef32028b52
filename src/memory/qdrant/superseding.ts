import type { MemoryEngine } from '../engine.ts';
import type { Collections } from './collections.ts';
import { every, FIRST, is, LAST_VERSION, stored } from './filters.ts';
import { endedAt, expiryOf, type MemoryPayload, pointsOf } from './points.ts';
import type { Requests } from './requests.ts';
import type { Staging } from './staging.ts';

/**
 * Adds the next version of a memory.
 *
 * 1. The successor is staged: nobody sees it.
 * 2. The predecessor is ended, and names its successor, on condition that it names none yet. Qdrant checks the condition
 *    and writes in one step, so of any number of writers one wins, whatever process it is in.
 * 3. Reading back tells who. The winner sets when all versions expire and publishes its successor, the others remove
 *    theirs.
 *
 * Killed before step 2, nothing has happened. Killed after it, the successor that the predecessor names is published by
 * the next sweep: when an engine is opened, when expired memories are erased, or when the versions are read.
 */
export function superseding(
  requests: Requests,
  collections: Collections,
  { stage, settle }: Staging,
): MemoryEngine['supersede'] {
  /** The successor of a version; null if it has none, undefined if there is no such version. */
  async function successorOf(id: string): Promise<string | null | undefined> {
    let found: string | null | undefined;
    for (const collection of await collections.all()) {
      const [first] = await requests.scroll<MemoryPayload>(collection, stored(FIRST, is('id', id)), {
        limit: 1,
        fields: ['superseded_by'],
      });
      if (first) found = first.payload.superseded_by ?? null;
    }
    return found;
  }

  return async (id, at, next) => {
    if ((await successorOf(id)) !== null) return false;
    const vector = next.passages.find((passage) => passage.vector)?.vector;
    const collection = vector
      ? await collections.ensured({ key: vector.model, dimensions: vector.bytes.length })
      : await collections.current();
    const batch = await stage([{ collection, points: pointsOf(next, collection.model, collection.dimensions) }]);
    const end = { superseded_by: next.memory.id, ...endedAt(at) };
    await batch.inTime();
    for (const place of await collections.all()) await requests.set(place, every(is('id', id), LAST_VERSION), end);
    if ((await successorOf(id)) !== next.memory.id) {
      await batch.discard();
      return false;
    }
    await settle(id, at, { id: next.memory.id, root: next.memory.root, ...expiryOf(next.memory.expiresAt) });
    await batch.publish();
    return true;
  };
}
