/** What Sluice remembers of what it wrote into an n8n; it outlives a restart. */
export interface OwnRecords {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
  /** 32 random bytes, the same ever after. */
  secret(key: string): Promise<Buffer>;
}
