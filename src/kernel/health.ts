import { z } from 'zod';

/** Health of one part: an n8n, a webhook, the store. The servers behind the gateway have their own status. */
export const health = z.object({
  name: z.string().describe('E.g. "n8n default", "webhook audit", "store"'),
  kind: z.enum([
    'configuration',
    'process',
    'store',
    'events',
    'webhook',
    'watch',
    'n8n',
    'backups',
    'blueprints',
    'local-n8n',
    'bridge',
    'nodes',
    'memory',
    'graph',
    'module',
  ]),
  state: z
    .enum(['ready', 'starting', 'degraded', 'failing', 'off'])
    .describe('degraded: works with problems; off: not enabled'),
  since: z.string().optional().describe('When this state began'),
  detail: z.string().optional().describe('What it is doing'),
  lastError: z.object({ message: z.string(), at: z.string() }).optional(),
  retryAt: z.string().optional().describe('The next attempt'),
  fix: z.string().optional().describe('What to do, if the error does not say'),
});

export type Health = z.infer<typeof health>;

/** What is wrong with a part; undefined if nothing is. */
export function troubleOf({ kind, state, detail, lastError }: Health): string | undefined {
  if (state === 'ready' || state === 'off') return undefined;
  // Nothing starts a file. It just does not exist yet.
  if (kind === 'watch' && state === 'starting') return detail;
  if (state === 'starting') return detail === undefined ? 'is starting' : `is starting (${detail})`;
  return lastError?.message ?? detail ?? state;
}

/** Something that could be served, had somebody configured it. */
export interface Absent {
  readonly name: string;
  /** Why it is not, and what to do about it. */
  readonly reason: string;
  /** Whether most people do without it: only a status that lists everything names it. */
  readonly optional?: true;
}
