import { AppError } from '../../kernel/errors.ts';
import type { BackupPlace } from './place.ts';

const MB = 1024 * 1024;
/** Other processes write and delete backups, too, and counting reads all names. */
const COUNTED_MS = 600_000;
/** Nothing is refused because of an older count. */
const FRESH_MS = 10_000;

export interface Room {
  /** Passes content on as long as there is room. `free`: how much can be deleted once the content is written. */
  within(place: BackupPlace, most: number, free: number, content: AsyncIterable<Buffer>): AsyncIterable<Buffer>;
  /** How much is too much, after something was written. */
  excess(most: number): number;
  removed(bytes: number): void;
  /** Something else changed: the next backup counts again. */
  recount(): void;
}

/** How much all backups of a place take up. What is being written counts, too. */
export function createRoom(): Room {
  let stored = 0;
  let writing = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  let counting: Promise<void> | undefined;

  async function count(place: BackupPlace): Promise<void> {
    const before = stored;
    const found = await place.sizeOf(await place.list({}));
    // What was written meanwhile may be in the list as well: rather too much than too little.
    stored = found + Math.max(0, stored - before);
    countedAt = performance.now();
  }

  const counted = async (place: BackupPlace, ms: number) => {
    if (performance.now() - countedAt > ms) await (counting ??= count(place).finally(() => (counting = undefined)));
  };

  return {
    async *within(place, most, free, content) {
      await counted(place, COUNTED_MS);
      let written = 0;
      let isWhole = false;
      const isOver = (more: number) => stored + writing + more > most + free;
      try {
        for await (const chunk of content) {
          if (isOver(chunk.length)) await counted(place, FRESH_MS);
          if (isOver(chunk.length)) throw full(most);
          writing += chunk.length;
          written += chunk.length;
          yield chunk;
        }
        isWhole = true;
      } finally {
        writing -= written;
        if (isWhole) stored += written;
      }
    },
    excess: (most) => stored + writing - most,
    removed(bytes) {
      stored -= bytes;
    },
    recount() {
      countedAt = Number.NEGATIVE_INFINITY;
    },
  };
}

const full = (most: number): AppError =>
  new AppError(
    'conflict',
    `There is no room for this backup: all backups may have ${Number((most / MB).toFixed(2))} MB together. Without it, nothing was changed. Delete backups that you no longer need with sluice backup prune --all, or have the owner raise backups.maxSize.`,
  );
