import { AppError } from '../../../kernel/errors.ts';
import { partsOf, unknownBackup } from '../backup-id.ts';
import type { BackupPlace, Within } from '../place.ts';
import { several } from '../several.ts';
import type { Bucket } from './bucket.ts';

const SUFFIX = '.json';
/** Backups never change, so their first lines can be kept. */
const MOST_STARTS = 5000;
const MOST_SIZES = 100_000;
const DELETES_AT_ONCE = 8;

/** The id of the backup that this key is for. Undefined if it is none: others may keep objects in the bucket, too. */
export function idIn(key: string, prefix: string): string | undefined {
  const id = key.slice(prefix.length, -SUFFIX.length);
  return key.startsWith(prefix) && key.endsWith(SUFFIX) && partsOf(id) ? id : undefined;
}

/** Keeps backups as objects of a bucket, under the same names as on the disk. */
export function s3Place(bucket: Bucket, prefix: string): BackupPlace {
  const starts = new Map<string, { start: Buffer; bytes: number }>();
  const sizes = new Map<string, number>();
  const keyOf = (id: string) => `${prefix}${id}${SUFFIX}`;

  async function within({ instance, folder }: Within, signal?: AbortSignal): Promise<string[]> {
    if (instance !== undefined) return [`${prefix}${instance}/${folder === undefined ? '' : `${folder}/`}`];
    if (folder === undefined) return [prefix];
    const { prefixes } = await bucket.list(prefix, { delimiter: '/', signal });
    return prefixes.map((each) => `${each}${folder}/`);
  }

  return {
    name: 's3',

    async list(where, signal) {
      const lists = await Promise.all(
        (await within(where, signal)).map(async (each) => (await bucket.list(each, { signal })).objects),
      );
      if (sizes.size > MOST_SIZES) sizes.clear();
      return lists.flat().flatMap(({ key, bytes }) => {
        const id = idIn(key, prefix);
        if (id === undefined) return [];
        sizes.set(id, bytes);
        return [id];
      });
    },

    async start(id, length, signal) {
      const known = starts.get(id);
      if (known) return known;
      const found = await bucket.start(keyOf(id), length, { signal }).catch(explained(id));
      const end = found.start.indexOf(',\n');
      if (end < 0) return found;
      if (starts.size >= MOST_STARTS) starts.clear();
      const line = { start: Buffer.from(found.start.subarray(0, end + 2)), bytes: found.bytes };
      starts.set(id, line);
      return line;
    },

    async *read(id, signal) {
      try {
        yield* bucket.get(keyOf(id), { signal });
      } catch (error) {
        explained(id)(error);
      }
    },

    write: (id, content, signal) => bucket.put(keyOf(id), content, { signal }),

    async remove(ids, signal) {
      await several(ids, DELETES_AT_ONCE, async (id) => {
        await bucket.remove(keyOf(id), { signal });
        starts.delete(id);
      });
    },

    async sizeOf(ids) {
      const each = ids.map(async (id) => sizes.get(id) ?? (await bucket.start(keyOf(id), 1)).bytes);
      return (await Promise.all(each)).reduce((sum, bytes) => sum + bytes, 0);
    },
  };
}

const explained =
  (id: string) =>
  (error: unknown): never => {
    throw error instanceof AppError && error.code === 'not_found' ? unknownBackup(id) : error;
  };
