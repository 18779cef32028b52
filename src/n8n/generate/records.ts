import type { Settings } from '../../store/store.ts';

/** What Sluice remembers of what it wrote into an n8n; it outlives a restart. */
export interface OwnRecords {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  /** 32 random bytes, the same ever after. */
  secret(key: string): Promise<Buffer>;
}

/** They began as the bridge's, and keep its name. */
const KEY = 'bridge.';

export const ownRecords = (stored: Settings): OwnRecords => ({
  get: (key) => stored.get(KEY + key),
  put: (key, value) => stored.put(KEY + key, value),
  secret: (key) => stored.secret(KEY + key),
});
