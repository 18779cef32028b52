/** A default reply stays under 8 KB. It holds everything twice, as data and as text in quotes. */
const REPLY_BYTES = 7600;

export interface Room {
  /** Takes room for an item; false if there is not enough left. The first item always fits. */
  take(item: unknown): boolean;
  /** As many items as fit. */
  fitting<T>(items: readonly T[]): T[];
}

export function roomFor(bytes = REPLY_BYTES): Room {
  let left = bytes;
  let isFirst = true;
  const take = (item: unknown) => {
    const json = JSON.stringify(item);
    const size = Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json)) + 2;
    if (size > left && !isFirst) {
      left = 0;
      return false;
    }
    isFirst = false;
    left -= size;
    return true;
  };
  return {
    take,
    fitting(items) {
      const over = items.findIndex((item) => !take(item));
      return over === -1 ? [...items] : items.slice(0, over);
    },
  };
}

/** For callers who asked for more than usual: they get it. */
export const anyRoom: Room = { take: () => true, fitting: (items) => [...items] };
