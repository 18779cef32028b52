import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Authenticator } from '../auth/authenticator.ts';
import { isFromOtherPage } from '../kernel/other-page.ts';
import { foreignPage, localOwner, type Principal } from '../kernel/principal.ts';
import { type Rate, readRate } from '../kernel/rate.ts';
import type { Shared } from '../kernel/shared.ts';
import type { OpenLimits } from '../wire/allowance.ts';
import { sendJson } from '../wire/http-reply.ts';
import { type Admission, type AdmissionDeps, createAdmission, type Refusal } from './admission.ts';
import { createAttempts } from './attempts.ts';
import { clientAddress } from './client-address.ts';
import { createGate, type Gate, type GateSettings } from './gate.ts';
import { createRefusalReport, type RefusalFact } from './refusal-report.ts';
import type { LateSessions } from './session/sessions.ts';

export interface GuardSettings extends GateSettings {
  /** Whether a proxy in front sets the client's address, or how many proxies do, one after the other. */
  trustProxy: boolean | number;
  /** Whether authentication is off. */
  open: boolean;
  /** Rate limit of each principal that has none of its own. */
  rate?: string;
  /** How much each principal may have open at the same time. */
  limits?: OpenLimits;
}

export interface GuardOptions {
  settings(): GuardSettings;
  authenticators(): readonly Authenticator[];
  /** Browsers that are signed in to the console. */
  sessions?: LateSessions | undefined;
  /** The URL a token must have been issued for. */
  resource(request: IncomingMessage): string;
  challenge(request: IncomingMessage, refused?: string): string;
  /** Who forwarded a request, if there are replicas; 'invalid' if its claim to be forwarded is not true. */
  forwarded?: ((request: IncomingMessage) => { readonly address: string } | 'invalid' | undefined) | undefined;
  /** Reports a refusal, once a minute per address and kind of reason, with the number of repeats. */
  refused(fact: RefusalFact): void;
  /** Reports a limit that a principal reached, once a minute. */
  limited?: ((fact: { limit: string; principal: string; times: number }) => void) | undefined;
  /** Called for every admitted request of a principal. */
  used?: ((principal: Principal) => void) | undefined;
  /** Called for every refusal, for the metrics. */
  counted?: ((status: number) => void) | undefined;
  /** Counts requests by name, over all replicas. */
  count: Shared['count'];
}

/** Everything between the network and us. */
export interface Guard extends Disposable {
  /** For MCP: returns the caller, or undefined if the request has been answered. */
  admit(request: IncomingMessage, response: ServerResponse): Principal | undefined | Promise<Principal | undefined>;
  /** For everything else: whether the request may continue. If not, it has been answered. */
  pass(request: IncomingMessage, response: ServerResponse): boolean;
  /** Counts further requests of an admitted caller. Returns the seconds to wait if there are too many. */
  charge(principal: Principal, times: number): number | undefined | Promise<number | undefined>;
  /** Identifies the caller, for everything that is not public. */
  identify(request: IncomingMessage): Admission | Promise<Admission>;
  /** Whether an admitted request of a browser would be admitted again: its session may have ended. */
  holds(request: IncomingMessage): Promise<boolean>;
  /** The network address of the caller, behind proxies and replicas. */
  addressOf(request: IncomingMessage): string;
}

export function createGuard(options: GuardOptions): Guard {
  const { settings } = options;
  const gate = createGate(settings, () => !settings().open);
  const attempts = createAttempts();
  const report = createRefusalReport(options.refused);
  /** What another replica says about a request that it forwards. That replica has passed it through its own gate. */
  const forwarded = (request: IncomingMessage) => {
    const claim = options.forwarded?.(request);
    return claim === 'invalid' ? undefined : claim;
  };
  const addressOf = (request: IncomingMessage) =>
    forwarded(request)?.address ?? clientAddress(request, settings().trustProxy);

  const deps: AdmissionDeps = {
    anonymous: ({ headers }) =>
      settings().open ? (isFromOtherPage((name) => headers[name]) ? foreignPage : localOwner) : undefined,
    authenticators: options.authenticators,
    session: options.sessions?.check,
    resource: options.resource,
    challenge: options.challenge,
    failed(request, reason) {
      const address = addressOf(request);
      report.add(address, `credential: ${reason}`, reason);
      return attempts.failed(address);
    },
    exceeded: (principal) => charge(principal, 1),
  };
  const admission = createAdmission(deps);
  /** For requests that were counted before, perhaps by the replica that forwards them. */
  const uncounted = createAdmission({ ...deps, exceeded: () => undefined });

  function charge(principal: Principal, times: number): number | undefined | Promise<number | undefined> {
    const rate = rateOf(principal.rate ?? settings().rate);
    return rate && options.count(`key ${principal.id}`, rate, times);
  }

  function counted(decision: Admission): Admission {
    if ('refusal' in decision) options.counted?.(decision.refusal.status);
    else options.used?.(decision.principal);
    return decision;
  }

  function identify(request: IncomingMessage): Admission | Promise<Admission> {
    const decision = forwarded(request) ? uncounted(request) : admission(request);
    return decision instanceof Promise ? decision.then(counted) : counted(decision);
  }

  function passGate(request: IncomingMessage): ReturnType<Gate> {
    const claim = options.forwarded?.(request);
    if (claim === undefined) return gate(request);
    if (claim !== 'invalid') return { headers: {} };
    const message =
      'Bad request: Sluice-Forwarded is not signed by a replica of this gateway, or too old. Leave it out.';
    return { refusal: { status: 400, message, headers: {} }, kind: 'forwarding' };
  }

  function pass(request: IncomingMessage, response: ServerResponse): boolean {
    const gated = passGate(request);
    if ('refusal' in gated) {
      report.add(addressOf(request), gated.kind, gated.refusal.message);
      options.counted?.(gated.refusal.status);
      answer(request, response, gated.refusal);
      return false;
    }
    for (const name in gated.headers) response.setHeader(name, gated.headers[name] as string);
    if (request.method !== 'OPTIONS') return true;
    response.writeHead(204).end();
    return false;
  }

  function decided(request: IncomingMessage, response: ServerResponse, decision: Admission): Principal | undefined {
    if ('principal' in decision) return decision.principal;
    answer(request, response, decision.refusal);
    return undefined;
  }

  return {
    admit(request, response) {
      if (!pass(request, response)) return undefined;
      const decision = identify(request);
      if (decision instanceof Promise) return decision.then((late) => decided(request, response, late));
      return decided(request, response, decision);
    },
    pass,
    charge,
    identify,
    async holds(request) {
      const again = await uncounted(request);
      return 'principal' in again || again.refusal.status !== 401;
    },
    addressOf,
    [Symbol.dispose]: () => report[Symbol.dispose](),
  };
}

function answer(request: IncomingMessage, response: ServerResponse, { status, message, headers }: Refusal): void {
  request.resume();
  sendJson(response, status, JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32600, message } }), headers);
}

const rates = new Map<string, Rate | undefined>();

function rateOf(text: string | undefined): Rate | undefined {
  if (text === undefined) return undefined;
  if (!rates.has(text)) rates.set(text, readRate(text));
  return rates.get(text);
}
