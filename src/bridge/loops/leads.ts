import type { Node } from '../../n8n/client/shapes.ts';
import { placeOf } from '../place.ts';

/** What a set of nodes calls: workflows in n8n, and servers outside. */
export interface Leads {
  /** Ids of workflows they run. */
  readonly workflows: readonly string[];
  /** The MCP client nodes among them. */
  readonly clients: readonly Node[];
  /** Host and port of the servers they send HTTP requests to. */
  readonly places: readonly string[];
  /** They run a workflow that is known only at run time. */
  readonly unseen: boolean;
}

const runsAnother = /\.(executeWorkflow|toolWorkflow|toolWorkflowTool|retrieverWorkflow)$/;
const mcpClient = /\.mcp(?:Client|ClientTool|RegistryClientTool)$/;
const sendsHttp = /\.(httpRequest|httpRequestTool|toolHttpRequest)$/;

/** Undefined if they call nothing, as most do. */
export function leadsOf(nodes: readonly Node[]): Leads | undefined {
  const workflows = new Set<string>();
  const places = new Set<string>();
  const clients: Node[] = [];
  let unseen = false;
  for (const node of nodes) {
    if (node.disabled) continue;
    if (mcpClient.test(node.type)) clients.push(pointer(node));
    else if (runsAnother.test(node.type)) {
      const id = workflowIn(node);
      if (id === undefined) unseen = true;
      else workflows.add(id);
    } else if (sendsHttp.test(node.type)) {
      const place = placeIn(node.parameters.url);
      if (place !== undefined) places.add(place);
    }
  }
  if (workflows.size === 0 && places.size === 0 && clients.length === 0 && !unseen) return undefined;
  return { workflows: [...workflows], clients, places: [...places], unseen };
}

/** The workflow a node runs; undefined if that is an expression, or not a workflow of this n8n. */
function workflowIn({ parameters: { source = 'database', workflowId } }: Node): string | undefined {
  const { value } = (typeof workflowId === 'object' && workflowId !== null ? workflowId : { value: workflowId }) as {
    value?: unknown;
  };
  return source === 'database' && typeof value === 'string' && !value.startsWith('=') ? value : undefined;
}

/** The host of a URL; undefined if it is part of an expression. */
function placeIn(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined;
  const fixed = url.replace(/^=/, '').split('{{', 1)[0] as string;
  return url.includes('{{') && !/^https?:\/\/[^/]+\//.test(fixed) ? undefined : placeOf(fixed);
}

/** Keeps only the origin of an MCP client's URL, because the rest may contain a secret, and the tools it may use. */
function pointer({ name, type, parameters }: Node): Node {
  const { endpointUrl, sseEndpoint, include, includeTools, excludeTools, tool } = parameters;
  const url = endpointUrl ?? sseEndpoint;
  const origin = typeof url === 'string' && URL.canParse(url) ? new URL(url).origin : '=';
  const kept = { include, includeTools, excludeTools, tool, endpointUrl: url === undefined ? undefined : origin };
  return {
    name,
    type,
    parameters: Object.fromEntries(Object.entries(kept).filter(([, value]) => value !== undefined)),
  };
}
