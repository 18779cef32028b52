/** How many values are remembered; the oldest are forgotten first. */
const MOST = 1000;

/** Values that tools have revealed, for the redactor. */
export interface Revealed {
  add(value: string): void;
  values(): readonly string[];
}

export function createRevealed(): Revealed {
  const values = new Set<string>();
  return {
    add(value) {
      values.delete(value);
      values.add(value);
      const [oldest] = values;
      if (values.size > MOST && oldest !== undefined) values.delete(oldest);
    },
    values: () => [...values],
  };
}
