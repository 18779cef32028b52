import type { RouteRequest } from '../../kernel/route.ts';
import { AppError } from '../../kernel/errors.ts';
import { ownCalls } from '../../kernel/own-calls.ts';
import { holdsScope, type Principal } from '../../kernel/principal.ts';
import type { Events, StoredEvent } from '../../store/store.ts';
import type { Backend } from '../backends/backend.ts';
import type { HeldTool } from '../backends/offer.ts';
import type { Gateway } from '../gateway.ts';
import { refusalOf } from '../refusal.ts';
import type { BackendSettings } from '../settings.ts';
import { backendsFor } from '../status/status-for.ts';
import type { BackendStatus } from '../status/status.ts';
import { noServer } from '../tools/no-server.ts';
import type { ServerAnswers } from './routes.ts';
import type { Allowed, Server, ServerDetail } from './shapes.ts';
import { runsWhere } from './runs-where.ts';

const LATEST = 60;
const MOST_ERRORS = 10;
const MOST_CHANGED = 100;
/** Of both definitions of a tool, and of those of all tools, as JSON. */
const LONGEST_DEFINITIONS = 200_000;
const LONGEST_OF_ALL = 2_000_000;

interface AnswerDeps {
  readonly gateway: Gateway;
  readonly store: { readonly events: Pick<Events, 'query'> };
  readonly redact: (text: string) => string;
  originOf(name: string): Server['origin'];
  /** Whether servers with a command may be added. */
  allowsCommands(): boolean;
  /** Throws if the server cannot be removed here, and says why. */
  removable(name: string): Promise<void>;
  link(backend: Backend, principal: Principal): string | undefined;
}

export function createServerAnswers(deps: AnswerDeps): ServerAnswers {
  const { gateway, originOf } = deps;

  function allowed(principal: Principal, tool: string): Allowed {
    const refused = refusalOf(gateway, tool, principal);
    return refused ? { may: false, why: refused.message } : { may: true };
  }

  function shown(backend: BackendStatus, principal: Principal): Server {
    const { held, login: _, leftOut: __, ...rest } = backend;
    const known = gateway.backend(backend.name);
    const description = known?.settings.description;
    return {
      ...rest,
      origin: originOf(backend.name),
      ...(description !== undefined && { description }),
      ...(held && { held: held.length }),
      ...(known?.lanes.waitsForLogin(principal) && { needsLogin: true }),
    };
  }

  /** Entries that are not enabled are no backends. Only who sees all servers sees them. */
  function switchedOff(principal: Principal): Server[] {
    if (ownCalls(principal)) return [];
    return Object.entries(gateway.settings().servers)
      .filter(([, { enabled }]) => !enabled)
      .map(([name, settings]) => offServer(name, settings));
  }

  const offServer = (name: string, { transport, isolation, replicas, tags, description }: BackendSettings): Server => ({
    name,
    state: 'OFF',
    transport: transport.kind,
    tools: 0,
    restarts: 0,
    isolation,
    replicas,
    tags,
    origin: originOf(name),
    ...(description !== undefined && { description }),
  });

  const all = (principal: Principal): Server[] => [
    ...backendsFor({ gateway }, principal).map((backend) => shown(backend, principal)),
    ...switchedOff(principal),
  ];

  function stderrOf(name: string, settings: BackendSettings, principal: Principal): ServerDetail['stderr'] {
    const says = (why: string) => ({ lines: [], why });
    if (settings.transport.kind !== 'stdio') return says('It is not a program that Sluice starts.');
    // Programs write there what they like, also about the calls of others and secrets that nobody can recognise.
    if (!holdsScope(principal, 'admin') || principal.tools)
      return says(
        'Only who has the scope admin, and is not limited to some tools, may read what programs write there.',
      );
    const lines = gateway.backend(name)?.stderr.lines() ?? [];
    return lines.length > 0 ? { lines } : says('It has written nothing to stderr since Sluice was started.');
  }

  async function errorsOf(name: string, principal: Principal): Promise<ServerDetail['errors']> {
    const own = ownCalls(principal);
    const filter = { status: 'failure', source: name, limit: MOST_ERRORS, ...(own && { own }) } as const;
    return (await deps.store.events.query(filter)).events.map(errorIn);
  }

  async function removal(name: string, principal: Principal): Promise<Allowed> {
    const may = allowed(principal, 'gateway_remove_server');
    if (!may.may) return may;
    try {
      await deps.removable(name);
      return may;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { may: false, why: error.message };
    }
  }

  async function whole(server: Server, settings: BackendSettings, principal: Principal): Promise<ServerDetail> {
    const { name } = server;
    const backend = gateway.backend(name);
    const isLimited = ownCalls(principal) !== undefined;
    const login = backend && deps.link(backend, principal);
    const rejected = isLimited ? [] : (backend?.catalogue?.rejected ?? []);
    const accept = allowed(principal, 'gateway_accept_tools');
    return {
      ...server,
      runs: deps.redact(runsWhere(settings.transport, holdsScope(principal, 'admin') && !isLimited)),
      prefix: settings.prefix ?? name,
      ...(rejected.length > 0 && { leftOut: rejected.slice(0, 20) }),
      ...(login !== undefined && { login }),
      ...(backend && !isLimited && { latestMs: backend.latencies.latest(LATEST) }),
      stderr: stderrOf(name, settings, principal),
      changed: backend && !isLimited ? changedTools(await backend.offer.heldTools()) : [],
      errors: await errorsOf(name, principal),
      restart:
        server.state === 'OFF'
          ? { may: false, why: 'It is switched off.' }
          : allowed(principal, 'gateway_restart_server'),
      remove: await removal(name, principal),
      accept,
    };
  }

  return {
    list: ({ principal }) => {
      const add = allowed(principal, 'gateway_add_server');
      const commands =
        add.may && !deps.allowsCommands()
          ? {
              may: false,
              why: 'The configuration does not allow it. Set gateway.allowCommands: true, or add the server to mcpServers in the file.',
            }
          : add;
      return { servers: all(principal), add: { ...add, commands } };
    },
    async one({ params: { name = '' }, principal }: RouteRequest) {
      const known = all(principal);
      const server = known.find((one) => one.name === name);
      const { servers } = gateway.settings();
      const settings = server && Object.hasOwn(servers, name) ? servers[name] : undefined;
      if (!server || !settings)
        throw noServer(
          name,
          known.map((one) => one.name),
        );
      return whole(server, settings, principal);
    },
  };
}

function changedTools(held: readonly HeldTool[]): ServerDetail['changed'] {
  let room = LONGEST_OF_ALL;
  return held.slice(0, MOST_CHANGED).map(({ tool, since, accepted, offered }) => {
    const { length } = JSON.stringify([accepted, offered]);
    const large = length > LONGEST_DEFINITIONS || length > room;
    if (!large) room -= length;
    return {
      tool,
      ...(since !== undefined && { since }),
      ...(large ? { large } : { ...(accepted && { accepted }), ...(offered && { offered }) }),
    };
  });
}

function errorIn({ timestamp, event_type, trace_id, data }: StoredEvent): ServerDetail['errors'][number] {
  const text = (name: string) => {
    const value = Object.hasOwn(data, name) ? data[name] : undefined;
    return typeof value === 'string' ? { [name]: value } : {};
  };
  return { at: timestamp, type: event_type, ...text('tool'), ...text('reason'), trace: trace_id };
}
