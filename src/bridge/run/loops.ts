import type { Node } from '../../n8n/client/shapes.ts';
import { placeOf } from '../place.ts';

/** A workflow that is a tool, with the nodes in it that are clients of some MCP server. */
export interface Caller {
  readonly key: string;
  readonly tool: string;
  readonly clients: readonly Node[];
}

/** Through these every tool can be called. */
const wrappers = /^(call_tool|run_(call|read))$/;

/** Which of them can come back to themselves through this gateway. */
export function onLoops(callers: readonly Caller[], ownUrls: readonly string[]): Set<string> {
  const own = new Set(ownUrls.flatMap((url) => placeOf(url) ?? []));
  const leads = new Map(
    callers.map(({ key, clients }) => {
      const ours = clients.filter((node) => pointsAt(node, own));
      return [key, callers.filter(({ tool }) => ours.some((node) => mayCall(node, tool))).map((one) => one.key)];
    }),
  );
  return new Set(callers.flatMap(({ key }) => (returns(key, leads) ? [key] : [])));
}

function returns(key: string, leads: ReadonlyMap<string, readonly string[]>): boolean {
  const reached = new Set(leads.get(key));
  for (const next of reached) for (const further of leads.get(next) ?? []) reached.add(further);
  return reached.has(key);
}

/** An address that is made up only when it runs may be ours. */
function pointsAt({ parameters }: Node, own: ReadonlySet<string>): boolean {
  const url = parameters.endpointUrl ?? parameters.sseEndpoint;
  if (typeof url !== 'string') return false;
  if (url.startsWith('=')) return true;
  const place = placeOf(url);
  return place !== undefined && own.has(place);
}

function mayCall({ parameters }: Node, tool: string): boolean {
  const { include, includeTools, excludeTools, tool: one } = parameters;
  const fixed = typeof one === 'object' && one !== null ? (one as { value?: unknown }).value : one;
  if (typeof fixed === 'string' && fixed !== '' && !fixed.startsWith('='))
    return fixed === tool || wrappers.test(fixed);
  const names = (list: unknown): string[] | undefined => (Array.isArray(list) ? list.map(String) : undefined);
  if (include === 'selected') return names(includeTools)?.some((name) => name === tool || wrappers.test(name)) ?? true;
  if (include === 'except') return !(names(excludeTools)?.includes(tool) ?? false);
  return true;
}
