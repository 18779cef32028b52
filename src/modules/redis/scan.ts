import { AppError } from '../../kernel/errors.ts';

/** What one step of SCAN, HSCAN or SSCAN answers. */
export interface Batch<T> {
  readonly next: string;
  readonly found: readonly T[];
}

export interface ScanOptions<T> {
  step(cursor: string, count: number): Promise<Batch<T>>;
  /** A cursor that an earlier scan gave. */
  readonly from: string | undefined;
  /** How many to look at in the first step. Later ones look at more, as long as little is found. */
  readonly first: number;
  /** How long it may take; never more than a few seconds. */
  readonly mostMs: number;
  /** How many to find at most. */
  readonly limit: number;
  keep?(item: T): boolean;
  /** Redis may return an item more than once. */
  identity(item: T): string;
  bytes(item: T): number;
}

export interface Scanned<T> {
  readonly found: readonly { readonly item: T; readonly after: string | undefined }[];
  /** For the rest; undefined at the end. */
  readonly cursor: string | undefined;
}

const MOST_STEPS = 200;
const MOST_COUNT = 5000;
const MOST_MS = 3000;
const MOST_BYTES = 256 * 1024;

/**
 * Scans until enough is found, or until it has taken long enough. Redis returns whole batches, of which a reply may hold
 * only a part. So a cursor of ours names a batch and a place in it: the batch is asked for again, and its beginning
 * skipped.
 */
export async function scanned<T>(options: ScanOptions<T>): Promise<Scanned<T>> {
  const { step, from, limit, keep = () => true, identity, bytes } = options;
  let { cursor, count, skip } = from === undefined ? { cursor: '0', count: options.first, skip: 0 } : placeIn(from);
  const found: { item: T; after: string | undefined }[] = [];
  const seen = new Set<string>();
  const until = performance.now() + Math.min(MOST_MS, options.mostMs);
  let size = 0;
  for (let steps = 0; steps < MOST_STEPS && performance.now() < until; steps++) {
    const batch = await step(cursor, count);
    const isLast = batch.next === '0';
    for (const [at, item] of batch.found.entries()) {
      if (at < skip || !keep(item) || seen.has(identity(item))) continue;
      const isEnd = at === batch.found.length - 1;
      const after = isEnd ? (isLast ? undefined : batch.next) : `${cursor}.${count}.${at + 1}`;
      seen.add(identity(item));
      found.push({ item, after });
      size += bytes(item);
      if (found.length >= limit || size > MOST_BYTES) return { found, cursor: after };
    }
    if (isLast) return { found, cursor: undefined };
    ({ next: cursor } = batch);
    skip = 0;
    count = Math.min(MOST_COUNT, count * 2);
  }
  return { found, cursor };
}

function placeIn(text: string): { cursor: string; count: number; skip: number } {
  const [, cursor, count, skip] = /^(\d{1,20})(?:\.(\d{1,4})\.(\d{1,6}))?$/.exec(text) ?? [];
  if (cursor === undefined || BigInt(cursor) >= 2n ** 64n)
    throw new AppError('invalid_input', 'This is not a cursor of this tool. Leave it out to begin again.');
  const size = Math.min(MOST_COUNT, Math.max(1, Number(count ?? 100)));
  return { cursor, count: size, skip: Number(skip ?? 0) };
}

/** The items that fit into the reply, and the cursor after them. `fits` says how many do. */
export function fitted<T, V>(
  { found, cursor }: Scanned<T>,
  view: (item: T) => V,
  fits: (views: readonly V[]) => number,
): { readonly views: readonly V[]; readonly cursor?: string } {
  const views = found.map(({ item }) => view(item));
  const count = views.length === 0 ? 0 : fits(views);
  const next = count < found.length ? found[count - 1]?.after : cursor;
  return { views: views.slice(0, count), ...(next !== undefined && { cursor: next }) };
}
