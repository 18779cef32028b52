import type { MemoryEngine } from '../engine.ts';
import type { Collections } from './collections.ts';
import { every, FIRST, hasId, is, isOneOf, LAST_VERSION, stored, within } from './filters.ts';
import { type MemoryPayload, recalledAt } from './points.ts';
import type { Requests } from './requests.ts';
import type { Staging } from './staging.ts';

type Changing = Pick<MemoryEngine, 'pin' | 'recalled' | 'erase' | 'eraseExpired' | 'drop'>;

const ROOTS_AT_ONCE = 500;
const IDS_AT_ONCE = 500;
/** Each attempt lets at least one writer through. */
const RECALL_ATTEMPTS = 20;

export function changing(requests: Requests, collections: Collections, { sweep }: Staging): Changing {
  async function erase(roots: readonly string[]): Promise<number> {
    let erased = 0;
    for (let from = 0; from < roots.length; from += ROOTS_AT_ONCE) {
      const some = isOneOf('root', roots.slice(from, from + ROOTS_AT_ONCE));
      const found = new Set<string>();
      for (const collection of await collections.all()) {
        const values = await requests.values<string>(collection, 'root', stored(FIRST, some), ROOTS_AT_ONCE);
        for (const { value } of values) found.add(value);
        await requests.remove(collection, every(some));
      }
      erased += found.size;
    }
    return erased;
  }

  /**
   * Counts one recall of each. Qdrant cannot add, so a count is written on condition that it is still the one that was
   * read, and read back to see whether it was ours. Two processes that recall the same memory within the same moment may
   * lose one count if a third write comes between; that is not worth more requests.
   */
  async function count(ids: readonly string[], at: number): Promise<void> {
    let left: readonly string[] = ids;
    for (let attempt = 0; left.length > 0 && attempt < RECALL_ATTEMPTS; attempt++) {
      const mark = `${process.pid}-${Math.random().toString(36).slice(2)}`;
      const uncounted = new Set<string>();
      for (const collection of await collections.all()) {
        const filter = stored(FIRST, isOneOf('id', left));
        const fields = ['id', 'recalls', 'recall_mark'];
        const before = await requests.scroll<MemoryPayload>(collection, filter, { limit: left.length, fields });
        for (const [recalls, same] of Map.groupBy(before, ({ payload }) => payload.recalls))
          await requests.set(collection, every(hasId(same.map(({ id }) => id)), is('recalls', recalls)), {
            recalls: recalls + 1,
            recall_mark: mark,
            ...recalledAt(at),
          });
        const counts = new Map(before.map(({ payload }) => [payload.id, payload.recalls]));
        const after =
          before.length === 0
            ? []
            : await requests.scroll<MemoryPayload & { recall_mark?: string }>(collection, filter, {
                limit: left.length,
                fields,
              });
        for (const { payload } of after)
          if (payload.recall_mark !== mark && payload.recalls <= (counts.get(payload.id) ?? 0) + 1)
            uncounted.add(payload.id);
      }
      left = [...uncounted];
    }
  }

  let counting: Promise<unknown> = Promise.resolve();

  return {
    async pin(id, pinned) {
      let exists = false;
      for (const collection of await collections.all()) {
        exists = (await requests.count(collection, stored(FIRST, is('id', id)))) > 0 || exists;
        await requests.set(collection, every(is('id', id)), { pinned });
      }
      return exists;
    },

    async recalled(ids, at) {
      for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
        const some = ids.slice(from, from + IDS_AT_ONCE);
        // One after the other, so that those of this process never race.
        const turn = counting.then(() => count(some, at));
        counting = turn.catch(() => {});
        await turn;
      }
    },

    erase,

    async eraseExpired(now) {
      await sweep();
      const namespaces = new Set<string>();
      // An earlier version may have had an expiry that its successor no longer has.
      const filter = stored(FIRST, LAST_VERSION, within('expires_ms', { lte: now }));
      for (const collection of await collections.all())
        for (;;) {
          const firsts = await requests.scroll<MemoryPayload>(collection, filter, {
            limit: ROOTS_AT_ONCE,
            fields: ['root', 'namespace'],
          });
          for (const { payload } of firsts) namespaces.add(payload.namespace);
          await erase([...new Set(firsts.map(({ payload }) => payload.root))]);
          if (firsts.length < ROOTS_AT_ONCE) break;
        }
      return [...namespaces];
    },

    async drop(namespace) {
      for (const collection of await collections.all())
        await requests.remove(collection, every(is('namespace', namespace)));
    },
  };
}
