import type { MemoryEngine, NamespaceContent } from '../engine.ts';
import type { Collection, Collections } from './collections.ts';
import { FIRST, type Filter, is, isOneOf, stored, unexpired, validAt } from './filters.ts';
import type { MemoryPayload } from './points.ts';
import type { Requests } from './requests.ts';

type Counts = { -readonly [K in keyof NamespaceContent]: NamespaceContent[K] };
type Counted = 'memories' | 'versions' | 'passages' | 'embedded' | 'pinned';

/** Texts of more lengths than this are not expected in a namespace. */
const MOST_LENGTHS = 1_000_000;

/** Counts what is in each namespace. */
export function contentsOf(requests: Requests, collections: Collections): MemoryEngine['contents'] {
  /** Qdrant counts how many texts have each length, but cannot add them up. */
  async function bytesOf(collection: Collection, filter: Filter): Promise<number> {
    const lengths = await requests.values<number>(collection, 'bytes', filter, MOST_LENGTHS);
    return lengths.reduce((sum, { value, count }) => sum + value * count, 0);
  }

  async function timesOf(collection: Collection, namespace: string, now: number) {
    const filter = stored(FIRST, is('namespace', namespace), unexpired(now));
    const fields = ['recorded_ms'];
    const [newest] = await requests.scroll<MemoryPayload>(collection, filter, { limit: 1, fields, newestFirst: true });
    const [oldest] = await requests.scroll<MemoryPayload>(collection, filter, { limit: 1, fields, oldestFirst: true });
    return newest && oldest && { newest: newest.payload.recorded_ms, oldest: oldest.payload.recorded_ms };
  }

  return async (namespaces, model, now) => {
    const counts = new Map(
      namespaces.map((namespace): [string, Counts] => [
        namespace,
        { namespace, memories: 0, versions: 0, passages: 0, embedded: 0, pinned: 0, bytes: 0 },
      ]),
    );
    if (namespaces.length === 0) return [];
    const inside = isOneOf('namespace', namespaces);
    for (const collection of await collections.all()) {
      const add = async (counted: Counted, filter: Filter) => {
        for (const { value, count } of await requests.values<string>(
          collection,
          'namespace',
          filter,
          namespaces.length,
        )) {
          const all = counts.get(value);
          if (all) all[counted] += count;
        }
      };
      await add('passages', stored(inside));
      await add('versions', stored(inside, FIRST, unexpired(now)));
      await add('memories', stored(inside, FIRST, unexpired(now), ...validAt(now)));
      await add('pinned', stored(inside, FIRST, unexpired(now), is('pinned', true)));
      if (collection.model === model) await add('embedded', stored(inside, { has_vector: 'meaning' }));
      for (const all of counts.values()) {
        if (all.versions === 0) continue;
        all.bytes += await bytesOf(collection, stored(FIRST, is('namespace', all.namespace), unexpired(now)));
        const times = await timesOf(collection, all.namespace, now);
        if (!times) continue;
        all.oldest = Math.min(all.oldest ?? times.oldest, times.oldest);
        all.newest = Math.max(all.newest ?? times.newest, times.newest);
      }
    }
    return [...counts.values()];
  };
}
