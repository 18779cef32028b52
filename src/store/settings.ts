import type { Env } from '../kernel/env.ts';

/** Which store is used. */
export type StoreSettings =
  | { readonly kind: 'sqlite' }
  /** `connections` is what one replica uses at most, including the one that listens. */
  | { readonly kind: 'postgres'; readonly url: string; readonly connections: number };

/** What a process needs to open its store. */
export interface StorePlace<Settings = StoreSettings> {
  readonly home: string;
  readonly version: string;
  readonly settings: Settings;
  /** Has SLUICE_SECRET_KEY, or the file with it. */
  readonly env: Env;
  /** Counts rate limits exactly over all replicas. */
  readonly redis?: string;
}

export type PostgresPlace = StorePlace<Extract<StoreSettings, { kind: 'postgres' }>>;
