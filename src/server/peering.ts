import { networkInterfaces } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { isCutOff } from '../auth/holding.ts';
import type { ServerSettings } from '../host/server-settings.ts';
import { isEveryAddress } from '../kernel/plain-http.ts';
import { addressUrl } from '../kernel/reachable-url.ts';
import type { Peers, ReplicaReport, Shared } from '../kernel/shared.ts';
import { createForwarding, type Forwarding } from '../wire/http-forward.ts';
import { createPeerRequests } from '../wire/peer-requests.ts';
import { clientAddress } from './client-address.ts';
import type { Unready } from './health-routes.ts';
import { asksWhetherReady, watchStoreElsewhere } from './store-elsewhere.ts';

const DRAIN_MS = 5000;

/** How this process is one of several replicas. */
export interface Peering extends Disposable {
  readonly forwarding: Forwarding;
  unready(): Unready | undefined;
  /** How long this replica still answers when it stops. */
  drainMs(): number;
  /** Says not ready, hands over what this replica leads, and waits while it still answers. Then the others have to. */
  drain(skip: Promise<unknown>): Promise<void>;
}

export function openPeering({
  peers,
  shared,
  settings,
  url,
  report,
  acceptNoMore,
}: {
  peers: Peers;
  shared: Pick<Shared, 'cutOffSince'>;
  settings(): Pick<ServerSettings, 'host' | 'peerUrl' | 'trustProxy' | 'drain'>;
  /** Where this process listens. */
  url: string;
  report(): ReplicaReport;
  /** Refuses new connections. */
  acceptNoMore(): Promise<void>;
}): Peering {
  let draining = false;
  // Alone, there is nobody to whom a load balancer could turn.
  const drainMs = () => settings().drain ?? (peers.all().length > 1 ? DRAIN_MS : 0);
  const requests = createPeerRequests();
  const elsewhere = watchStoreElsewhere(peers, shared, asksWhetherReady(peers, requests));
  const forwarding = createForwarding(peers, requests, {
    addressOf: (request) => clientAddress(request, settings().trustProxy),
    isStopping: () => draining,
  });
  peers.announce(peerUrlOf(settings(), url), () => {
    const own = report();
    return { ...own, problems: [...own.problems, ...forwarding.problems()] };
  });
  return {
    forwarding,
    unready() {
      if (draining) return 'stopping';
      // After a while this replica can authenticate nobody. It goes on until then if nobody could do better.
      return isCutOff(shared) || elsewhere.holds() ? 'cut off from the store' : undefined;
    },
    drainMs,
    async drain(skip) {
      draining = true;
      const over = new AbortController();
      const handedOver = peers.drain().catch(() => {});
      const waited = delay(drainMs(), undefined, { signal: over.signal }).catch(() => {});
      await Promise.race([waited, skip]);
      over.abort();
      if (peers.all().length > 1) await acceptNoMore();
      // Without the store nothing can be handed over: the leases expire.
      await Promise.race([handedOver, delay(1000, undefined, { ref: false })]);
    },
    [Symbol.dispose]() {
      for (const one of [forwarding, elsewhere, requests]) one[Symbol.dispose]();
    },
  };
}

/** Where other replicas reach this one: as configured, else where it listens. */
export function peerUrlOf(
  { host, peerUrl }: Pick<ServerSettings, 'host' | 'peerUrl'>,
  url: string,
  addresses: () => readonly string[] = ownAddresses,
): string {
  const { port, origin } = new URL(url);
  if (peerUrl !== undefined) {
    const given = new URL(peerUrl);
    if (given.port === '0') given.port = port;
    return given.origin;
  }
  const [address] = isEveryAddress(host) ? addresses() : [];
  return address === undefined ? origin : addressUrl(address, Number(port));
}

/** Nobody on another machine reaches these. On AWS Fargate the first interface has one. */
const linkLocal = /^(fe80:|169\.254\.)/;

/** The addresses at which other machines reach this one, IPv4 first. */
export function ownAddresses(interfaces = networkInterfaces()): string[] {
  return Object.values(interfaces)
    .flatMap((found = []) => found)
    .filter(({ internal, address }) => !internal && !linkLocal.test(address))
    .sort((a, b) => Number(a.family === 'IPv6') - Number(b.family === 'IPv6'))
    .map(({ address }) => address);
}
