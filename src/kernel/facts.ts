export type Level = 'debug' | 'info' | 'warn' | 'error';

/** What is known of all facts of one type, before any of them happened. `D` are their fields. */
export interface FactKind<D> {
  /** How the event is marked; `success` unless told. */
  readonly status?: 'failure' | 'pending';
  /** Says who changed what. */
  readonly audit?: true;
  /** Part of the start, which a terminal shows in other words. */
  readonly opening?: true;
  /** Where it stands in the log; `warn` for a failure and `info` for the rest, unless told. */
  readonly level?: Level | 'never' | ((data: D) => Level);
  /** The line in the log; the type, unless told. */
  line?(data: D): string;
}

/** The facts of a part, by type: `{ 'bridge.removed': fact<{ instance: string }>({ audit: true }) }`. */
export type FactTable = Readonly<Record<string, FactKind<never>>>;

export type FactOf<T> = {
  [K in keyof T & string]: T[K] extends FactKind<infer D> ? { readonly type: K } & D : never;
}[keyof T & string];

/** Facts are stated in the past tense. Their fields are an allow-list: no arguments, no results, no secrets. */
export interface Fact {
  readonly type: string;
  readonly [field: string]: unknown;
}

export const fact = <D extends object>(kind: FactKind<D> = {}): FactKind<D> => kind;
