import { z } from 'zod';
import type { GatewayEvents } from '../facts.ts';
import { globMatcher } from '../../kernel/glob.ts';
import { counted, someOf } from '../../kernel/some-of.ts';
import type { CallContext } from '../../kernel/source.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { Gateway } from '../gateway.ts';
import { noServer } from './no-server.ts';
import { gatewayFamily } from './gateway-tool.ts';

/** Adds and removes servers while Sluice runs. */
export interface ServerAdmin {
  gateway: Gateway;
  events: GatewayEvents;
  /** Checks the entry, stores it, and starts the server. */
  add(name: string, entry: Record<string, unknown>, by: string): Promise<void>;
  /** Throws if the server cannot be removed here, and says why. */
  removable(name: string): Promise<void>;
  remove(name: string): Promise<void>;
}

const adminTool = toolsFor<ServerAdmin>(gatewayFamily);

/** Who did it, and in which call. */
const by = ({ principal, trace }: CallContext) => [principal.id, { traceId: trace.traceId }] as const;

const name = z.string().describe('The name of the server');

function backendOf(gateway: Gateway, wanted: string) {
  const backend = gateway.backend(wanted);
  if (backend) return backend;
  const names = gateway.backends().map((known) => known.name);
  throw noServer(wanted, names);
}

export const addServer = adminTool({
  name: 'gateway_add_server',
  title: 'Add a server',
  description:
    'Adds an MCP server while Sluice runs. It survives restarts, but is never written to the configuration file. Commands need gateway.allowCommands.',
  effect: 'create',
  phrases:
    'connect an mcp server; add a backend; register a new server by url; plug in another mcp server; install a server with a command; attach a remote server to the gateway; hook up more tools from another server; integrate an external mcp service; use tools of a server that is not listed yet; give me access to another service over mcp; configure a new mcp endpoint with headers; start another tool server; extend the gateway; set up a server; here is the address of an mcp server, use it; make the functions of this endpoint available; i found a new mcp server; mount a server; bring in tools from elsewhere; subscribe to a remote mcp; add this npx server; bring in a server that runs on a port; start using a new mcp; onboard a tool provider; join another mcp server to this one; new backend; add connector',
  input: z.strictObject({
    name,
    server: z
      .record(z.string(), z.unknown())
      .describe('An entry as in mcpServers: { url, headers } or { command, args, env }'),
  }),
  output: z.object({ name: z.string(), state: z.string(), tools: z.number(), error: z.string().optional() }),
  examples: [{ title: 'A remote server', arguments: { name: 'docs', server: { url: 'https://example.com/mcp' } } }],
  async run(input, { gateway, events, add }, context) {
    const [principal, call] = by(context);
    await add(input.name, input.server, principal);
    const backend = backendOf(gateway, input.name);
    const transport = backend.settings.transport.kind;
    events.record({ type: 'gateway.server_added', backend: input.name, transport, principal }, call);
    return {
      name: input.name,
      state: backend.state,
      tools: backend.catalogue?.tools.length ?? 0,
      ...(backend.state !== 'RUNNING' && backend.lastError && { error: backend.lastError.message }),
    };
  },
});

export const removeServer = adminTool({
  name: 'gateway_remove_server',
  title: 'Remove a server',
  description:
    'Stops and forgets a server that gateway_add_server added. Remove a server of the configuration file there.',
  effect: 'delete',
  phrases:
    'disconnect an mcp server; remove a backend; unregister a server; detach a server from the gateway; delete a server that was added; forget a server; stop using an mcp server; uninstall a server; take a server out of the gateway; i no longer need this server; drop the connection to a tool server; kick out a backend; get rid of a server; i added the wrong server; take an mcp url out; cut the link to a server; we stopped using that mcp service; eject a server; that connector was only a trial, remove it; drop a backend; i want this server out; quit using a connector; unlink an mcp server',
  input: z.strictObject({ name }),
  output: z.object({ name: z.string(), removed: z.boolean() }),
  async preview(input, { gateway, removable }) {
    const { settings, state, catalogue } = backendOf(gateway, input.name);
    await removable(input.name);
    const { routes, toolsets } = gateway.settings();
    const tools = gateway.registry.all().filter(({ source }) => source === input.name);
    const using = [
      ...routes.filter(({ to }) => to === input.name).map((route) => `a route of ${route.tool}`),
      ...Object.entries(toolsets)
        .filter(([, { include }]) => include.length > 0 && tools.some((tool) => globMatcher(include)(tool.name)))
        .map(([toolset]) => `the toolset ${toolset}`),
    ];
    const kind = `${settings.transport.kind}, ${state}, ${counted(catalogue?.tools.length ?? 0, 'tool')}`;
    return `This stops and forgets the server ${input.name} (${kind}). ${using.length > 0 ? `Used by: ${someOf(using)}.` : 'No route or toolset names it.'}`;
  },
  async run(input, { gateway, events, remove }, context) {
    backendOf(gateway, input.name);
    await remove(input.name);
    const [principal, call] = by(context);
    events.record({ type: 'gateway.server_removed', backend: input.name, principal }, call);
    return { name: input.name, removed: true };
  },
});

export const restartServer = adminTool({
  name: 'gateway_restart_server',
  title: 'Restart a server',
  description: 'Stops a server and starts it again at once. Its tools stay listed.',
  effect: 'execute',
  phrases:
    'restart a backend; reboot an mcp server; reconnect a server that hangs; a server does not respond any more; a server is stuck or frozen; bounce a crashed server; reload the tools of a server; stop and start a server again; a backend is not answering; turn the server off and on again; refresh a server; kill and relaunch a backend process; tools of a server time out; a server is acting up; tool server crashed, bring it up again; give a backend a fresh start; the connection to a server is dead; wake up a server; calls to this server hang; revive a dead server; server seems dead; one of the servers crashed; respawn the process of a server; the tools of a server stopped working',
  input: z.strictObject({ name }),
  output: z.object({ name: z.string(), state: z.string(), error: z.string().optional() }),
  async run(input, { gateway, events }, context) {
    const backend = backendOf(gateway, input.name);
    const [principal, call] = by(context);
    events.record({ type: 'gateway.server_restarted', backend: input.name, principal }, call);
    await backend.lanes.restart();
    return {
      name: input.name,
      state: backend.state,
      ...(backend.state !== 'RUNNING' && backend.lastError && { error: backend.lastError.message }),
    };
  },
});

export const acceptTools = adminTool({
  name: 'gateway_accept_tools',
  title: 'Accept changed tools',
  description:
    'Accepts tools that are held back because their server changed their definition (onChange: hold). gateway_status lists them.',
  effect: 'update',
  phrases:
    'approve tools that are held back; unblock a tool whose definition changed; trust the changed tools of a server; release tools in quarantine; a tool disappeared because the server changed it; review and accept new tool descriptions; allow blocked tools again; the tool was changed by its author, it is fine; let the new version of a tool in; tools are missing since the server was updated; confirm changed definitions; stop holding tools back; i looked at the modified tools and they are safe; vendor updated his server and its tools are gone; unlock tools; sign off changed schemas; let held tools be used; give the held tools back; admit altered tools; the tool looks harmless, enable it again; approve the new schema of a tool; tools withheld after an update; clear the hold on a tool',
  input: z.strictObject({ name, tool: z.string().optional().describe('One tool; default: all that are held') }),
  output: z.object({ name: z.string(), accepted: z.array(z.string()) }),
  async run(input, { gateway, events }, context) {
    const accepted = await backendOf(gateway, input.name).offer.accept(input.tool);
    const [principal, call] = by(context);
    for (const tool of accepted)
      events.record({ type: 'gateway.tool_accepted', backend: input.name, tool, principal }, call);
    return { name: input.name, accepted };
  },
});
