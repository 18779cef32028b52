export type Rec = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Rec {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A node may be called `constructor`: what an object merely inherits is not there. */
export function own(record: Rec, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
