import { z } from 'zod';
import type { Absent } from '../../host/part.ts';
import { type Health, health } from '../../kernel/health.ts';
import { localOwner, type Principal } from '../../kernel/principal.ts';
import type { Exposure } from '../../kernel/source.ts';
import { watchStatus, webhookStatus } from './event-status.ts';
import type { Backend } from '../backends/backend.ts';
import type { Gateway } from '../gateway.ts';
import { overallOf } from './overall.ts';

const exposureCost = z.object({
  tools: z.number(),
  bytes: z.number(),
  tokens: z.number().describe('Estimated: four bytes a token'),
});

export const backendStatus = z.object({
  name: z.string(),
  state: z.enum(['STOPPED', 'STARTING', 'RUNNING', 'DEGRADED', 'FAILED']),
  since: z.string(),
  transport: z.string(),
  protocol: z.string().optional(),
  tools: z.number(),
  held: z.array(z.string()).optional().describe('Tools held back because their definition changed'),
  leftOut: z.array(z.string()).optional().describe('What it offers but Sluice cannot use, and why'),
  noise: z.number().optional().describe('Messages from it that were ignored because they are not MCP'),
  lastError: z.object({ message: z.string(), at: z.string() }).optional(),
  login: z.string().optional().describe('It needs a login: a link for the user, which works once'),
  retryAt: z.string().optional(),
  calls: z.number().optional().describe('By all callers; absent for a caller that is limited to some tools'),
  p50Ms: z.number().optional(),
  p95Ms: z.number().optional(),
  restarts: z.number(),
  isolation: z.string(),
  replicas: z.number(),
  tags: z.array(z.string()),
  urls: z
    .array(
      z.object({
        url: z.string(),
        state: z.enum(['STOPPED', 'STARTING', 'RUNNING', 'DEGRADED', 'FAILED']),
        lastError: z.string().optional(),
      }),
    )
    .optional()
    .describe('Each of its URLs, if it has several; without query'),
});

const replicaStatus = z.object({
  id: z.string(),
  self: z.boolean().optional().describe('The replica that answers'),
  host: z.string(),
  url: z.string().optional().describe('Where other replicas reach it'),
  version: z.string(),
  startedAt: z.string(),
  seenSeconds: z.number().describe('How long ago it was last heard of'),
  state: z.enum(['ok', 'degraded', 'failed', 'starting']),
  problems: z.array(z.string()),
  sessions: z.number(),
  leads: z.array(z.string()).describe('Background work that only it does'),
  draining: z.boolean().optional().describe('It is about to stop'),
});

export type ReplicaStatus = z.infer<typeof replicaStatus>;

export const gatewayStatus = z.object({
  version: z.string(),
  url: z.string().optional().describe('Where MCP clients reach it; absent without HTTP'),
  uptimeSeconds: z.number(),
  state: z
    .enum(['ok', 'degraded', 'failed'])
    .describe('degraded: something does not work; failed: the store or every connection does not work'),
  problems: z.array(z.string()).describe('One line for each problem'),
  tools: z.number(),
  backends: z.array(backendStatus),
  exposure: z
    .object({ flat: exposureCost, compact: exposureCost, search: exposureCost })
    .describe('What tools/list costs a client in each exposure'),
  parts: z.array(health).describe('Everything besides the servers: configuration, store, n8n, bridge, webhooks'),
  notConfigured: z.array(z.object({ name: z.string(), reason: z.string() })),
  replicas: z
    .array(replicaStatus)
    .optional()
    .describe('The processes that share the store; everything else is about the one that answers'),
  sessions: z.number().optional(),
  events: z
    .object({
      dropped: z.number().describe('Lost because the store failed for too long'),
      jsonl: z
        .object({
          lost: z.number().describe('Missing in the files, which could not be written for too long'),
          error: z.string().optional().describe('Why they cannot be written right now'),
          since: z.string().optional(),
          retryAt: z.string().optional(),
        })
        .optional(),
      webhooks: z.array(webhookStatus).optional(),
      watch: z.array(watchStatus).optional(),
    })
    .optional(),
});

export type BackendStatus = z.infer<typeof backendStatus>;
export type GatewayStatus = z.infer<typeof gatewayStatus>;

export interface Replicas {
  replicas: ReplicaStatus[];
  problems: string[];
}

export interface StatusDeps {
  gateway: Gateway;
  version: string;
  startedAt: number;
  notConfigured(): readonly Absent[];
  /** The health of every part except the servers. */
  parts(): readonly Health[];
  sessions(): number;
  /** All replicas, and what is wrong with them, if several processes share the store. */
  replicas?: ((own: Pick<GatewayStatus, 'state' | 'problems'> & { sessions: number }) => Replicas) | undefined;
  url(): string | undefined;
  /** A page where this caller can sign in to a server, if it needs a login. */
  signInLink?(backend: Backend, principal: Principal): string | undefined;
  /** The state of the event log. */
  eventLog?(): NonNullable<GatewayStatus['events']>;
}

/** The state of the gateway and of each backend: the same for the tool, the command and the URL. */
export function readStatus(
  { gateway, version, startedAt, notConfigured, parts: readParts, sessions, url, eventLog, ...deps }: StatusDeps,
  principal: Principal = localOwner,
): GatewayStatus {
  const address = url();
  const parts = [...readParts()];
  const backends = gateway.backends().map(backendStatusOf);
  const { state, problems } = overallOf(backends, parts);
  const all = deps.replicas?.({ state, problems, sessions: sessions() });
  return {
    version,
    ...(address !== undefined && { url: address }),
    uptimeSeconds: Math.round((Date.now() - startedAt) / 1000),
    state: state === 'ok' && all && all.problems.length > 0 ? 'degraded' : state,
    problems: [...problems, ...(all?.problems ?? [])],
    tools: gateway.registry.all().length,
    backends,
    exposure: {
      flat: cost(gateway, 'flat', principal),
      compact: cost(gateway, 'compact', principal),
      search: cost(gateway, 'search', principal),
    },
    parts,
    notConfigured: notConfigured().map(({ name, reason }) => ({ name, reason })),
    ...(all && { replicas: all.replicas }),
    sessions: sessions(),
    ...(eventLog && { events: eventLog() }),
  };
}

export function backendStatusOf(backend: Backend): BackendStatus {
  const urls = backend.urls();
  return {
    name: backend.name,
    state: backend.state,
    since: new Date(backend.since).toISOString(),
    transport: backend.settings.transport.kind,
    ...(backend.catalogue && { protocol: backend.catalogue.version }),
    tools: backend.catalogue?.tools.length ?? 0,
    ...(backend.offer.held.size > 0 && { held: [...backend.offer.held.keys()] }),
    ...(backend.catalogue?.rejected.length && { leftOut: backend.catalogue.rejected.slice(0, 5) }),
    ...(backend.noise > 0 && { noise: backend.noise }),
    ...(backend.lastError && { lastError: { message: backend.lastError.message, at: backend.lastError.at } }),
    ...(backend.retryAt !== undefined && { retryAt: new Date(backend.retryAt).toISOString() }),
    ...backend.latencies.summary(),
    restarts: backend.restarts,
    isolation: backend.settings.isolation,
    replicas: backend.settings.replicas,
    tags: backend.settings.tags,
    ...(urls.length > 0 && { urls }),
  };
}

function cost(gateway: Gateway, expose: Exposure, principal: Principal): z.infer<typeof exposureCost> {
  const { tools } = gateway.visibility.projection({ view: { expose }, principal });
  const bytes = Buffer.byteLength(JSON.stringify(tools));
  return { tools: tools.length, bytes, tokens: Math.round(bytes / 4) };
}
