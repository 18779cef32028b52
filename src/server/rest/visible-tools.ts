import { nearestNames, shown } from '../../gateway/names.ts';
import type { Registered } from '../../gateway/registry.ts';
import { recordUnknownCall } from '../../gateway/unknown-call.ts';
import { denial } from '../../kernel/call.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { CallContext } from '../../kernel/source.ts';
import type { RestDeps } from './deps.ts';

/** Every tool a principal may know of, however it is listed to MCP clients. */
export function visibleTools({ gateway }: RestDeps, principal: Principal, toolset?: string): Registered[] {
  const view = toolset === undefined ? {} : { toolset };
  const problem = gateway.service.viewProblem(view);
  if (problem !== undefined) throw new AppError('not_found', problem);
  return gateway.visibility.tools({ view, principal });
}

/** The tool of a name or alias, to be shown. */
export function toolToShow(deps: RestDeps, principal: Principal, name: string): Registered {
  const tool = deps.gateway.visibility.projection({ view: {}, principal }).find(name);
  if (!tool) throw unknownTool(deps, principal, name);
  return tool;
}

/**
 * The tool of a name or alias, to be called; `allowed` is false where the principal may know of it, but not call it.
 * One it may not know of is answered as if it were not there.
 */
export function toolToCall(deps: RestDeps, context: CallContext, name: string): { tool: Registered; allowed: boolean } {
  const { principal } = context;
  const tool = deps.gateway.registry.find(name);
  if (tool && !denial(principal, tool, 'see')) return { tool, allowed: !denial(principal, tool, 'call') };
  recordUnknownCall({ registry: deps.gateway.registry, callPath: deps.callPath }, name, context);
  throw unknownTool(deps, principal, name);
}

function unknownTool(deps: RestDeps, principal: Principal, name: string): AppError {
  const near = nearestNames(
    name,
    visibleTools(deps, principal).map((known) => known.name),
  );
  const hint = near.length > 0 ? `Did you mean ${near.join(', ')}?` : absence(deps, principal, name);
  return new AppError('not_found', `There is no tool ${shown(name)}. ${hint}`);
}

/** What keeps the tools of the server a name begins with from being known, or where to look. */
function absence({ gateway }: RestDeps, principal: Principal, name: string): string {
  const owner = gateway.visibility
    .backends({ view: {}, principal })
    .find((backend) => name.startsWith(`${backend.name}__`) || name.startsWith(`${backend.name}:`));
  return owner && !owner.catalogue && owner.lastError
    ? `The server ${owner.name} is not running: ${owner.lastError.message}`
    : 'GET /api/v1/mcp/tools lists the names.';
}
