export type Level = 'debug' | 'info' | 'warn' | 'error';

/** Everything known about a type of fact in advance. `D` are its fields. */
export interface FactKind<D> {
  /** Status of the event; default `success`. */
  readonly status?: 'failure' | 'pending';
  /** Whether it belongs to the audit trail: who changed what. */
  readonly audit?: true;
  /** Part of the start, which a terminal shows in its own words. */
  readonly opening?: true;
  /** Log level; default `warn` for failures and `info` for the rest. */
  readonly level?: Level | 'never' | ((data: D) => Level);
  /** Log line; default the type. */
  line?(data: D): string;
}

/** The facts of a part, by type: `{ 'bridge.removed': fact<{ instance: string }>({ audit: true }) }`. */
export type FactTable = Readonly<Record<string, FactKind<never>>>;

export type FactOf<T> = {
  [K in keyof T & string]: T[K] extends FactKind<infer D> ? { readonly type: K } & D : never;
}[keyof T & string];

/** Facts are in the past tense. Their fields are an allow-list: no arguments, no results, no secrets. */
export interface Fact {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const fact = <D extends object>(kind: FactKind<D> = {}): FactKind<D> => kind;
