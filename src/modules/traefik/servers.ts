import type { Service } from './answers.ts';
import { maskedText } from './masked.ts';

export interface Server {
  /** Its URL, or its address for TCP and UDP. */
  readonly at: string;
  /** `unchecked` without a health check: Traefik then says nothing, or UP without having looked. */
  readonly status: 'up' | 'down' | 'unchecked';
  readonly weight?: number;
}

/** The servers of a load balancer with their state. */
export function serversOf({ loadBalancer, serverStatus }: Service): Server[] {
  const states = new Map(Object.entries(serverStatus ?? {}));
  const isChecked = Boolean(loadBalancer?.healthCheck ?? loadBalancer?.passiveHealthCheck);
  return (loadBalancer?.servers ?? []).map(({ url, address, weight }) => {
    const at = url ?? address ?? '';
    const state = states.get(at)?.toUpperCase();
    return {
      at: maskedText(at),
      status: state === 'DOWN' ? 'down' : state === 'UP' && isChecked ? 'up' : 'unchecked',
      ...(weight !== undefined && { weight }),
    };
  });
}

/** The services that a service leads to. */
export function neededServices({ weighted, mirroring, failover }: Service): string[] {
  return [
    ...(weighted?.services ?? []).map(({ name }) => name),
    ...[mirroring?.service, failover?.service, failover?.fallback].filter((name) => typeof name === 'string'),
    ...(mirroring?.mirrors ?? []).map(({ name }) => name),
  ].filter((name) => name !== '');
}
