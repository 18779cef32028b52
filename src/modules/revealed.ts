/** How many values are remembered, and how long they may be together; the oldest are forgotten first. */
const MOST = 1000;
const MOST_LENGTH = 8_000_000;

/** Values that tools have revealed, for the redactor. */
export interface Revealed {
  add(value: string): void;
  values(): readonly string[];
}

export function createRevealed(): Revealed {
  const values = new Set<string>();
  let length = 0;
  return {
    add(value) {
      if (!values.delete(value)) length += value.length;
      values.add(value);
      for (const oldest of values) {
        if (oldest === value || (values.size <= MOST && length <= MOST_LENGTH)) break;
        values.delete(oldest);
        length -= oldest.length;
      }
    },
    values: () => [...values],
  };
}
