import type { Callable } from '../../kernel/callable.ts';
import { ownCalls } from '../../kernel/own-calls.ts';
import type { Principal } from '../../kernel/principal.ts';
import { overallOf } from './overall.ts';
import { type BackendStatus, backendStatusOf, type GatewayStatus, readStatus, type StatusDeps } from './status.ts';

/** The part of the status that this caller may see. */
export function statusFor(deps: StatusDeps, principal: Principal): GatewayStatus {
  const status = readStatus(deps, principal);
  return ownCalls(principal) ? limited(status, deps.gateway.visibility.tools({ view: {}, principal })) : status;
}

/** The servers that this caller may see. */
export function backendsFor({ gateway }: Pick<StatusDeps, 'gateway'>, principal: Principal): BackendStatus[] {
  const all = gateway.backends().map(backendStatusOf);
  return ownCalls(principal) ? backendsOf(all, gateway.visibility.tools({ view: {}, principal })) : all;
}

/**
 * For a caller that is limited to some tools: only the servers of these tools, and nothing about other callers.
 * An allow-list: a new field of the status is hidden until it is added here.
 */
function limited(status: GatewayStatus, tools: readonly Pick<Callable, 'source'>[]): GatewayStatus {
  const { version, url, uptimeSeconds, exposure } = status;
  const backends = backendsOf(status.backends, tools);
  return {
    version,
    ...(url !== undefined && { url }),
    uptimeSeconds,
    ...overallOf(backends, []),
    tools: tools.length,
    backends,
    exposure,
    parts: [],
    notConfigured: [],
  };
}

/** An allow-list, too. */
function backendsOf(all: readonly BackendStatus[], tools: readonly Pick<Callable, 'source'>[]): BackendStatus[] {
  const counts = new Map<string, number>();
  for (const { source } of tools) counts.set(source, (counts.get(source) ?? 0) + 1);
  return all.flatMap((backend) => {
    const count = counts.get(backend.name);
    if (count === undefined) return [];
    const { name, state, since, transport, lastError, retryAt, restarts, isolation, replicas, tags } = backend;
    return {
      name,
      state,
      since,
      transport,
      tools: count,
      ...(lastError && { lastError }),
      ...(retryAt !== undefined && { retryAt }),
      restarts,
      isolation,
      replicas,
      tags,
    };
  });
}
