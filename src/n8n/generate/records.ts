import type { Settings } from '../../store/store.ts';

/** Persistent records of what Sluice wrote into an n8n. */
export interface OwnRecords {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  /** 32 random bytes, created once. */
  secret(key: string): Promise<Buffer>;
}

/** The records began as the bridge's, and existing stores have them under this prefix. */
const KEY = 'bridge.';

export const ownRecords = (stored: Settings): OwnRecords => ({
  get: (key) => stored.get(KEY + key),
  put: (key, value) => stored.put(KEY + key, value),
  secret: (key) => stored.secret(KEY + key),
});
