import { z } from 'zod';
import type { Route } from '../kernel/route.ts';
import { answer } from './rest/operation.ts';

const health = z.object({ status: z.literal('healthy'), timestamp: z.string(), version: z.string() });
const readiness = z.object({
  status: z.enum(['ready', 'starting', 'stopping', 'cut off from the store']),
  store: z.enum(['cut off', 'not writable']).optional().describe('If the store cannot be reached, or not be written'),
});

export type Readiness = z.infer<typeof readiness>;
export const READY = '/ready';

/** Why a replica that has started wants no requests. */
export type Unready = 'stopping' | 'cut off from the store';

/** Liveness and readiness for monitoring, without a key. createInternalPages relies on /health being the first. */
export function healthRoutes({
  version,
  ready,
  unready,
  storeTrouble,
}: {
  version: string;
  ready(): boolean;
  unready?(): Unready | undefined;
  /** What is wrong with the store while requests are taken. */
  storeTrouble?(): Readiness['store'];
}): Route[] {
  const alive = (path: string, operationId: string): Route => ({
    path,
    scope: 'public',
    get openapi() {
      return {
        operationId,
        summary: 'Whether the gateway is alive',
        tags: ['health'],
        responses: { 200: answer('It is alive', health) },
      };
    },
    handle: () => json({ status: 'healthy', timestamp: new Date().toISOString(), version }),
  });
  return [
    alive('/health', 'health'),
    alive('/api/v1/public/health', 'publicHealth'),
    {
      path: READY,
      scope: 'public',
      get openapi() {
        return {
          operationId: 'ready',
          summary: 'Whether to send requests here: every server has tried to start once',
          tags: ['health'],
          responses: {
            200: answer('All of them have', readiness),
            503: answer('Some are still starting, or a replica is stopping or cut off from the store', readiness),
          },
        };
      },
      handle({ request }) {
        const status = unready?.() ?? (ready() ? 'ready' : 'starting');
        const store = storeTrouble?.();
        const known: Readiness = { status, ...(store && { store }) };
        return json(known, status === 'ready' ? 200 : status === 'stopping' && asks404(request) ? 404 : 503);
      },
    },
  ];
}

/** HAProxy lets the requests under way end if the answer is 404, and cuts them after any other failure. */
const asks404 = ({ url }: Request): boolean => new URL(url).searchParams.get('stopping') === '404';

function json(body: object, status = 200): Response {
  return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
}
