import { randomUUID } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { Collection, Collections } from './collections.ts';
import { every, FIRST, is, isOneOf, staged, stored, within } from './filters.ts';
import { endedAt, type MemoryPayload, type NewPoint, sizeOf } from './points.ts';
import type { Point, Requests } from './requests.ts';

/**
 * Qdrant has no transactions. What takes more than one request is staged: its points carry `staged: true`, which every
 * read leaves out, until one last request removes the mark from all of them. If the process is killed before, what
 * remains is never seen, and `sweep` removes it.
 */
export interface Batch {
  readonly token: string;
  /** Before what cannot be undone: throws if it took so long that others may have swept away what was staged. */
  inTime(): Promise<void>;
  /** Shows what was staged. */
  publish(): Promise<void>;
  /** Removes what was staged. */
  discard(): Promise<void>;
}

/** What was staged earlier has been given up: publishing begins within PUBLISH_MS and takes one request. */
const PUBLISH_MS = 60_000;
const SLACK_MS = 60_000;
/** Qdrant takes 32 MB. */
const REQUEST_BYTES = 24_000_000;
const SWEPT_AT_ONCE = 500;
const MARKS = ['staged', 'staged_ms', 'batch'];

export interface Mark {
  readonly staged?: boolean;
  readonly staged_ms?: number;
  readonly batch?: string;
}

type Successor = Pick<MemoryPayload, 'id' | 'root' | 'expires_at' | 'expires_ms'>;

export type Staging = ReturnType<typeof createStaging>;

export function createStaging(
  requests: Requests,
  collections: Collections,
  { timeout, requestBytes = REQUEST_BYTES }: { timeout: number; requestBytes?: number },
) {
  const abandonedMs = PUBLISH_MS + timeout + SLACK_MS;

  async function stage(parts: readonly { collection: Collection; points: readonly NewPoint[] }[]): Promise<Batch> {
    const token = randomUUID();
    const since = Date.now();
    const mark = { staged: true, staged_ms: since, batch: token };
    const places = [...new Set(parts.map(({ collection }) => collection))];
    const discard = async () => {
      for (const collection of places) await requests.remove(collection, staged(is('batch', token)));
    };
    try {
      for (const { collection, points } of parts)
        for (const some of inRequests(points, requestBytes))
          await requests.insert(
            collection,
            some.map((point) => ({ ...point, payload: { ...point.payload, ...mark } })),
          );
    } catch (error) {
      // If Qdrant is away, sweeping does it.
      await discard().catch(() => {});
      throw error;
    }
    return {
      token,
      async inTime() {
        if (Date.now() - since <= PUBLISH_MS) return;
        await discard();
        throw new AppError('timeout', 'Qdrant took too long to store this, so nothing was stored. Store less at once.');
      },
      async publish() {
        for (const collection of places) await requests.unset(collection, staged(is('batch', token)), MARKS);
      },
      discard,
    };
  }

  const isAbandoned = ({ staged_ms = 0 }: Mark): boolean => Date.now() - staged_ms > abandonedMs;

  /**
   * What a successor that has won changes in earlier versions: it ends every passage of its predecessor, wherever it is,
   * and says when all versions expire.
   */
  async function settle(predecessor: string, endedMs: number, successor: Successor): Promise<void> {
    const { id, root, expires_at, expires_ms } = successor;
    for (const place of await collections.all()) {
      await requests.set(place, every(is('id', predecessor)), { superseded_by: id, ...endedAt(endedMs) });
      await requests.set(place, every(is('root', root)), { expires_at, expires_ms });
    }
  }

  /** A successor whose predecessor names it has won: its process was killed before it could publish it. */
  async function publishWinners(collection: Collection): Promise<void> {
    let from: string | undefined;
    do {
      const waiting: Point<MemoryPayload & Mark>[] = await requests.scroll(collection, staged(FIRST), {
        limit: SWEPT_AT_ONCE + 1,
        fields: ['id', 'root', 'supersedes', 'expires_at', 'expires_ms', 'batch'],
        ...(from !== undefined && { from }),
      });
      from = waiting[SWEPT_AT_ONCE]?.id;
      const successors = waiting.flatMap(({ payload }) => (payload.supersedes === undefined ? [] : [payload]));
      for (const { payload, endedMs } of await winnersOf(successors)) {
        await settle(payload.supersedes as string, endedMs, payload);
        await requests.unset(collection, staged(is('batch', payload.batch as string)), MARKS);
      }
    } while (from !== undefined);
  }

  async function winnersOf(successors: readonly (MemoryPayload & Mark)[]) {
    if (successors.length === 0) return [];
    const ids = successors.map(({ supersedes }) => supersedes as string);
    const ended = new Map<string, MemoryPayload>();
    for (const place of await collections.all()) {
      const fields = ['id', 'superseded_by', 'valid_to_ms'];
      const filter = stored(FIRST, isOneOf('id', ids));
      for (const { payload } of await requests.scroll<MemoryPayload>(place, filter, { limit: ids.length, fields }))
        ended.set(payload.id, payload);
    }
    return successors.flatMap((payload) => {
      const before = ended.get(payload.supersedes as string);
      return before?.superseded_by === payload.id ? [{ payload, endedMs: before.valid_to_ms }] : [];
    });
  }

  return {
    stage,
    settle,
    isAbandoned,
    fitsIntoOneRequest: (points: readonly NewPoint[]): boolean =>
      points.reduce((sum, point) => sum + sizeOf(point), 0) <= requestBytes,
    /** Completes or removes what a killed process left. */
    async sweep(): Promise<void> {
      for (const collection of await collections.all()) {
        if ((await requests.count(collection, staged())) === 0) continue;
        await publishWinners(collection);
        await requests.remove(collection, staged(within('staged_ms', { lt: Date.now() - abandonedMs })));
      }
    },
  };
}

/** As many as fit into a request, at a time. */
function* inRequests(points: readonly NewPoint[], requestBytes: number): Generator<NewPoint[]> {
  let some: NewPoint[] = [];
  let size = 0;
  for (const point of points) {
    const more = sizeOf(point);
    if (some.length > 0 && size + more > requestBytes) {
      yield some;
      [some, size] = [[], 0];
    }
    some.push(point);
    size += more;
  }
  if (some.length > 0) yield some;
}
