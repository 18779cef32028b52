import { z } from 'zod';

/** How one part is doing: an n8n, a webhook, the store. The servers behind the gateway have a status of their own. */
export const health = z.object({
  name: z.string().describe('Such as "n8n default", "webhook audit", "store"'),
  kind: z.enum(['configuration', 'store', 'events', 'webhook', 'watch', 'n8n', 'local-n8n', 'bridge', 'nodes']),
  state: z
    .enum(['ready', 'starting', 'degraded', 'failing', 'off'])
    .describe('degraded: works, but not as it should; off: nobody has asked for it'),
  since: z.string().optional().describe('When it came into this state'),
  detail: z.string().optional().describe('What it is doing'),
  lastError: z.object({ message: z.string(), at: z.string() }).optional(),
  retryAt: z.string().optional().describe('The next attempt'),
  fix: z.string().optional().describe('What to do, where the error does not say so'),
});

export type Health = z.infer<typeof health>;

/** Why a part is not as it should be; undefined where it is. */
export function troubleOf({ kind, state, detail, lastError }: Health): string | undefined {
  if (state === 'ready' || state === 'off') return undefined;
  // A file is not started by anybody: it is only not there yet.
  if (kind === 'watch' && state === 'starting') return detail;
  if (state === 'starting') return detail === undefined ? 'is starting' : `is starting (${detail})`;
  return lastError?.message ?? detail ?? state;
}

/** Something that could be served, had somebody configured it. */
export interface Absent {
  readonly name: string;
  /** Why it is not, and what to do about it. */
  readonly reason: string;
}
