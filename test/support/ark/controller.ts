/**
 * A stand-in for the part of ARK's controller that turns the tools of an MCPServer into Tool objects, written from its
 * source (0.1.69-rc, `internal/controller/mcpserver_controller.go`). Each poll is a session of its own that sends one
 * tools/list without a cursor. Whatever keeps it from connecting deletes every Tool; a failed tools/list deletes none.
 */
import { Agent } from 'node:http';
import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { connectAsArk, fetchOver, Unauthorized } from './connect.ts';
import { type McpServer, objectName } from './schema.ts';

export type Secrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** A Tool object. */
export interface Tool {
  readonly name: string;
  readonly spec: {
    readonly type: 'mcp';
    readonly description: string;
    readonly inputSchema: object;
    readonly mcp: { readonly toolName: string };
  };
}

/** The condition `Available`. */
export interface Available {
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason: string;
  readonly message: string;
}

export interface Deletion {
  readonly poll: number;
  readonly tool: string;
  /** `connect`: all were deleted because a connect failed. `list`: this one was not listed any more. */
  readonly because: 'connect' | 'list';
  readonly detail: string;
}

export interface ControllerOptions {
  readonly server: McpServer;
  readonly secrets?: Secrets;
  readonly agent?: Agent;
  /** Finds the address of a Service. */
  readonly service?: (ref: NonNullable<NonNullable<McpServer['spec']['address']['valueFrom']>['serviceRef']>) => string;
}

export type Controller = ReturnType<typeof createController>;

export function createController(options: ControllerOptions) {
  const { server, secrets = {}, agent = new Agent({ keepAlive: true, maxFreeSockets: 2 }) } = options;
  const { spec } = server;
  const tools = new Map<string, Tool>();
  const deletions: Deletion[] = [];
  let available: Available = { status: 'Unknown', reason: 'Initializing', message: 'MCPServer is being initialized' };
  let polls = 0;

  const fail = (reason: string, message: string): void => {
    available = { status: 'False', reason, message };
  };

  /** The URL, headers and timeout with which ARK connects: the controller and, for calls, the executor. */
  function connection() {
    const { serviceRef } = spec.address.valueFrom ?? {};
    const url = spec.address.value ?? (serviceRef && options.service?.(serviceRef));
    if (url === undefined) throw new Error('failed to resolve MCPServer address');
    const headers: Record<string, string> = {};
    for (const { name, value } of spec.headers ?? []) {
      const ref = value.valueFrom?.secretKeyRef;
      const text = value.value ?? (ref && secrets[ref.name]?.[ref.key]);
      if (text === undefined) throw new Error(`failed to resolve header ${name}`);
      headers[name] = text;
    }
    const ref = spec.authorization?.tokenSecretRef;
    // Without the Secret, or its key, ARK connects without a token.
    const token = ref && secrets[ref.name]?.[ref.accessTokenKey ?? 'access_token']?.trim();
    if (token) headers.Authorization = `Bearer ${token}`;
    return { url, headers, timeoutMs: millisecondsOf(spec.timeout), agent };
  }

  /** `secondMs`: the length of a second of the back-off, for a test that knows that nobody will answer. */
  async function poll(secondMs?: number): Promise<void> {
    polls++;
    let connected: Awaited<ReturnType<typeof connectAsArk>>;
    try {
      connected = await connectAsArk({ ...connection(), ...(secondMs !== undefined && { secondMs }) });
    } catch (error) {
      fail(...(await reasonOf(error)));
      for (const tool of tools.keys()) remove(tool, 'connect', messageOf(error));
      return;
    }
    await using _session = connected;
    let listed: ListedTool[];
    try {
      ({ tools: listed } = await connected.client.listTools());
    } catch (error) {
      return fail('ToolListingFailed', messageOf(error));
    }
    try {
      apply(listed);
    } catch (error) {
      return fail('ToolCreationFailed', `Failed to create tools: ${messageOf(error)}`);
    }
    available = ready(tools.size);
  }

  const ready = (count: number): Available => {
    const ref = spec.authorization?.tokenSecretRef.name;
    return ref === undefined
      ? { status: 'True', reason: 'ToolsDiscovered', message: `Successfully discovered ${count} tools` }
      : {
          status: 'True',
          reason: 'Authorized',
          message: `Authorized via tokenSecretRef ${ref}; discovered ${count} tools`,
        };
  };

  /** One illegal name stops it, with the tools before it made and nothing deleted. */
  function apply(listed: readonly ListedTool[]): void {
    const wanted = new Set<string>();
    for (const { name: toolName, description = '', inputSchema } of listed) {
      const name = generatedName(server.metadata.name, toolName);
      if (!objectName.safeParse(name).success) throw new Error(`failed to create tool ${name}: invalid metadata.name`);
      wanted.add(name);
      // Two tools with one name: the later takes the place of the earlier.
      tools.set(name, { name, spec: { type: 'mcp', description, inputSchema, mcp: { toolName } } });
    }
    for (const name of tools.keys()) if (!wanted.has(name)) remove(name, 'list', 'not listed');
  }

  function remove(tool: string, because: Deletion['because'], detail: string): void {
    tools.delete(tool);
    deletions.push({ poll: polls, tool, because, detail });
  }

  /** A 401 leads to the metadata that the challenge names. */
  async function reasonOf(why: unknown): Promise<[string, string]> {
    if (!(why instanceof Unauthorized)) return ['ClientCreationFailed', messageOf(why)];
    const at = /resource_metadata="([^"]+)"/.exec(why.challenge)?.[1];
    const found = at !== undefined && (await fetchOver(agent, new URL(at), {}).catch(() => undefined));
    return found && found.ok
      ? ['AuthorizationRequired', `Run \`ark mcp auth login ${server.metadata.name}\` to authorize.`]
      : ['AuthorizationDiscoveryFailed', `Authorization required but discovery failed: ${why.challenge}`];
  }

  return {
    server,
    poll,
    connection,
    tools: tools as ReadonlyMap<string, Tool>,
    deletions: deletions as readonly Deletion[],
    available: () => available,
    polls: () => polls,
    [Symbol.dispose]: () => agent.destroy(),
  };
}

/** As ARK does it: the name of the server as it is, the name of the tool in lower case with `-` for `_`. */
const generatedName = (server: string, tool: string): string => `${server}-${tool.replaceAll('_', '-').toLowerCase()}`;

function millisecondsOf(duration: string): number {
  const unit = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
  return [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)].reduce(
    (sum, [, count, name]) => sum + Number(count) * unit[name as keyof typeof unit],
    0,
  );
}

function messageOf(error: unknown): string {
  const { message, code, cause } = error as Error & { code?: string | number };
  return [message, code, cause instanceof Error ? cause.message : undefined].filter(Boolean).join(' ');
}
