import { jsonOf, type Reply, type Wire } from './exchange.ts';
import type { Mode, Scene } from './scene.ts';
import type { ServiceName } from './stack.ts';
import type { Stage } from './stages.ts';

export type { Reply, Wire } from './exchange.ts';
export type { Mode, Scene, Who } from './scene.ts';

/** Says on evidence what got through; undefined if nothing did. */
export type Oracle = (reply: Reply, scene: Scene, tag: string) => string | undefined | Promise<string | undefined>;

/** One hostile request, in the modes in which it makes sense. `tag` is a unique word. */
export interface Attack {
  readonly name: string;
  readonly modes: readonly Mode[];
  /** It is left out of a run that does not have one of these. */
  readonly needs: readonly ServiceName[];
  request(scene: Scene, tag: string): Wire | Promise<Wire>;
  readonly through: Oracle;
}

/**
 * One class of attacks. Its controls are the same requests from a caller who may send them: there the oracle must find
 * that something got through. Otherwise it could not find it anywhere.
 */
export interface AttackClass {
  readonly name: string;
  readonly title: string;
  readonly attacks: readonly Attack[];
  readonly controls: readonly Attack[];
  /** What is around the gateway; default honest and hostile MCP servers. */
  readonly stage?: Stage;
  /** It takes too long for `npm test`. */
  readonly isLong?: boolean;
  /** Runs before the attacks, and before the restart if there is one. */
  prepare?(scene: Scene): Promise<void>;
  /** The gateway is restarted between `prepare` and the attacks, with this change to its configuration. */
  readonly restart?: (config: Record<string, unknown>) => object;
  /** Attacks that have to run one after the other. */
  readonly inOrder?: boolean;
  /** Runs after the attacks. */
  finish?(scene: Scene): Promise<void>;
}

export const everyMode: readonly Mode[] = ['none', 'keys', 'oauth', 'both'];
export const withAuth: readonly Mode[] = ['keys', 'oauth', 'both'];
export const withKeys: readonly Mode[] = ['keys', 'both'];
export const withTokens: readonly Mode[] = ['oauth', 'both'];

export function attack(
  name: string,
  modes: readonly Mode[],
  request: Attack['request'],
  through: Oracle = reachedOrAnswered,
  needs: readonly ServiceName[] = [],
): Attack {
  return { name, modes, request, through, needs };
}

export const rpc = (method: string, params: unknown = {}, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, params });

export const call = (name: unknown, args: unknown = {}, id: unknown = 1): string =>
  rpc('tools/call', { name, arguments: args }, id);

/** The server `open` writes the tag into its journal. */
export const reach = (tag: string): string => call('open__slow', { ms: 0, tag });

export const restCall = (name: string, args: unknown): Wire => ({
  path: '/api/v1/mcp/invoke',
  body: JSON.stringify({ name, arguments: args }),
});

/** The caller got what they asked for: an answer with a result that is not an error. */
const answered: Oracle = (reply) => {
  const message = jsonOf(reply);
  if (reply.status < 200 || reply.status > 299 || !message || !('result' in message)) return undefined;
  const { isError } = (message.result ?? {}) as { isError?: boolean };
  return isError === true ? undefined : `it was answered: ${reply.body.slice(0, 200)}`;
};

/** A server behind the gateway was called. */
export const reached: Oracle = (_, { around }, tag) => {
  const journals = [around.world.journal, around.vault.journal, around.bare.journal, around.names.journal];
  const line = journals.flat().find((entry) => entry.includes(tag));
  return line === undefined ? undefined : `a server was reached: ${line.slice(0, 200)}`;
};

export const either =
  (...oracles: Oracle[]): Oracle =>
  async (reply, scene, tag) => {
    for (const oracle of oracles) {
      const found = await oracle(reply, scene, tag);
      if (found !== undefined) return found;
    }
    return undefined;
  };

export const reachedOrAnswered: Oracle = either(reached, answered);

/** The answer contains something that belongs to others. */
export const leaks: Oracle = (reply, { around: { canaries } }) => {
  for (const [name, text] of Object.entries(canaries)) {
    if (reply.text.includes(text)) return `it shows the canary of ${name}: …${around(reply.text, text)}…`;
  }
  return undefined;
};

export const shows =
  (...texts: (string | RegExp)[]): Oracle =>
  ({ text }) => {
    for (const wanted of texts) {
      const found = typeof wanted === 'string' ? (text.includes(wanted) ? wanted : undefined) : wanted.exec(text)?.[0];
      if (found !== undefined) return `it shows ${found}: …${around(text, found)}…`;
    }
    return undefined;
  };

export const succeeds: Oracle = ({ status, body }) =>
  status >= 200 && status < 300 ? `${status}: ${body.slice(0, 200)}` : undefined;

/** Every answer but the first belongs to a request that was hidden in another one. */
export const leakedOrReached: Oracle = either(reached, leaks);

function around(text: string, found: string): string {
  const at = text.indexOf(found);
  return text.slice(Math.max(0, at - 80), at + found.length + 40).replaceAll(/\s+/g, ' ');
}

/** A correct request of 2026-07-28. */
export function modernWire(method: string, params: Record<string, unknown>, capabilities: object = {}): Wire {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'attack', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  const name = params.name ?? params.uri ?? params.taskId;
  return {
    headers: [
      ['MCP-Protocol-Version', '2026-07-28'],
      ['Mcp-Method', method],
      ...(typeof name === 'string' ? [['Mcp-Name', name] as const] : []),
    ],
    body: rpc(method, { ...params, _meta }),
  };
}

/** The same with a caller's credential. */
export function as(scene: Scene, who: Parameters<Scene['as']>[0], wire: Wire): Wire {
  if ('bytes' in wire) return wire;
  return { ...wire, headers: [...scene.as(who, wire.path), ...(wire.headers ?? [])] };
}
