/** The node tools, called as the gateway calls them (input and output checked), on the catalogue of a real n8n. */
import { callTool } from '../../src/kernel/call.ts';
import { localOwner, type Principal } from '../../src/kernel/principal.ts';
import type { CallContext, Json } from '../../src/kernel/source.ts';
import type { AnyTool } from '../../src/kernel/tool.ts';
import type { Catalogue } from '../../src/nodes/catalogue.ts';
import type { NodesDeps } from '../../src/nodes/tool.ts';

export function caller(
  catalogue: Catalogue,
  more: Omit<NodesDeps, 'catalogues'> = {},
  principal: Principal = localOwner,
) {
  const deps: NodesDeps = {
    catalogues: { state: () => ({ state: 'ready', catalogue }), get: () => catalogue, ready: async () => catalogue },
    ...more,
  };
  return async <T = Json>(tool: AnyTool<NodesDeps>, args: Json = {}): Promise<T> => {
    const context = { principal, signal: new AbortController().signal } as Partial<CallContext> as CallContext;
    const outcome = await callTool(tool, deps)({ name: tool.name, arguments: args }, context);
    if ('error' in outcome) throw new Error(outcome.error.message);
    lastBytes = Buffer.byteLength(JSON.stringify(outcome.result));
    return outcome.result.structuredContent as T;
  };
}

let lastBytes = 0;

/** The size of the last reply on the wire. */
export const replyBytes = (): number => lastBytes;
