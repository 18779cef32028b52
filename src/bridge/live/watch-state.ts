/** What triggered a scan. */
export type Via = 'start' | 'poll' | 'hook' | 'file' | 'call' | 'asked';

/** How the last scan of an n8n ended. */
export type WatchState =
  | { state: 'starting'; since: string }
  | { state: 'watching'; since: string; workflows: number; lookedAt: string; ms: number }
  | { state: 'failing'; reason: string; since: string; retryAt?: string };
