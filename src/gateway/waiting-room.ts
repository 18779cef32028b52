import type { Waiting, WaitingRoom } from '../host/waiting.ts';
import { AppError } from '../kernel/errors.ts';
import { shown } from '../kernel/nearest-names.ts';
import { ownCalls } from '../kernel/own-calls.ts';
import { hasScope, holdsScope, type Principal } from '../kernel/principal.ts';
import { counted, someOf } from '../kernel/some-of.ts';
import { traceFrom } from '../kernel/trace.ts';
import { code, errorOutcome } from '../wire/jsonrpc.ts';
import { LATEST_LEGACY } from '../wire/versions.ts';
import type { Backend } from './backends/backend.ts';
import type { Gateway } from './gateway.ts';
import { refusalOf } from './refusal.ts';
import { heldState } from './status/held-state.ts';

const ACCEPT = 'gateway_accept_tools';
const MOST_NAMED = 10;
const LONGEST_NAME = 60;

interface WaitingDeps {
  readonly gateway: Gateway;
  readonly stopping: AbortSignal;
  /** A page where this caller can sign in; undefined if the server does not wait for that. */
  link(backend: Backend, principal: Principal): string | undefined;
}

/** Changed tools that somebody has to accept, and servers that need a login of whoever asks. */
export function gatewayWaiting({ gateway, stopping, link }: WaitingDeps): WaitingRoom {
  const refusal = (principal: Principal) => refusalOf(gateway, ACCEPT, principal);

  async function changed(backend: Backend, why: string | undefined): Promise<Waiting> {
    const { name, offer } = backend;
    const tools = await offer.heldTools();
    const since = tools.flatMap((tool) => tool.since ?? []).sort()[0];
    const names = tools.map(({ tool }) => shown(tool, LONGEST_NAME));
    return {
      id: idOf(backend),
      kind: 'definition',
      title: `${name} changed ${counted(tools.length, 'tool')}`,
      detail: `Held back until you accept the new definition: ${someOf(names, MOST_NAMED)}.`,
      ...(since !== undefined && { since }),
      page: `servers/${encodeURIComponent(name)}`,
      decides: why === undefined,
      ...(why !== undefined && { why }),
    };
  }

  function login(backend: Backend, principal: Principal): Waiting | undefined {
    const address = mayUse(gateway, backend, principal) ? link(backend, principal) : undefined;
    if (address === undefined) return undefined;
    const { name, lastError } = backend;
    return {
      id: `sign-in:${name}`,
      kind: 'sign-in',
      title: `${name} needs a login`,
      detail: 'Its tools work once you have signed in.',
      ...(lastError && { since: lastError.at }),
      page: `servers/${encodeURIComponent(name)}`,
      link: address,
      decides: false,
      why: 'Sign in with the link.',
    };
  }

  return {
    async list(principal) {
      const backends = gateway.backends();
      const seesStatus = holdsScope(principal, 'health:check') && ownCalls(principal) === undefined;
      const held = seesStatus ? backends.filter(({ offer }) => offer.held.size > 0) : [];
      const why = held.length > 0 ? refusal(principal)?.message : undefined;
      return [
        ...(await Promise.all(held.map((backend) => changed(backend, why)))),
        ...backends.flatMap((backend) => login(backend, principal) ?? []),
      ];
    },
    async decide(id, { approve }, principal) {
      const [kind, name = ''] = id.split(':');
      const backend = gateway.backend(name);
      if (kind !== 'definition' || !backend || backend.offer.held.size === 0)
        throw new AppError('not_found', 'Nothing of this name waits for a decision any more.');
      const denied = refusal(principal);
      if (denied) throw denied;
      // What is accepted must be what the person was asked about.
      if (id !== idOf(backend))
        throw new AppError(
          'conflict',
          `${name} has changed its tools again. Look at the new definitions, then decide.`,
        );
      if (!approve)
        return `Nothing changed: ${counted(backend.offer.held.size, 'tool')} of ${name} stay held back until somebody accepts them.`;
      const outcome = await gateway.call(ACCEPT, { name }, contextOf(principal, stopping));
      if (outcome.failed) throw outcome.failed;
      if ('error' in outcome) throw new AppError('internal', outcome.error.message);
      const { accepted = [] } = (outcome.result.structuredContent ?? {}) as { accepted?: string[] };
      return `Accepted ${counted(accepted.length, 'tool')} of ${name}. They can be called again.`;
    },
  };
}

const idOf = ({ name, offer }: Backend): string => `definition:${name}:${heldState(offer.held)}`;

/** Whether the caller may use anything of this server. */
function mayUse(gateway: Gateway, { name }: Backend, principal: Principal): boolean {
  if (!hasScope(principal, `${name}:read`)) return false;
  return (
    ownCalls(principal) === undefined ||
    gateway.visibility.tools({ view: {}, principal }).some(({ source }) => source === name)
  );
}

const contextOf = (principal: Principal, signal: AbortSignal) => ({
  principal,
  signal,
  trace: traceFrom({}),
  client: { era: 'legacy', version: LATEST_LEGACY, capabilities: {} } as const,
  notify() {},
  ask: () => Promise.resolve(errorOutcome(code.methodNotFound, 'A person decides this in the console.')),
});
