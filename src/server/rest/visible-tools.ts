import type { Registered } from '../../gateway/registry.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import { shown } from '../../kernel/nearest-names.ts';
import type { View } from '../../wire/service.ts';
import type { RestDeps } from './deps.ts';

/** Lists every tool under its own name, no matter how MCP clients see it. */
export const view: View = { expose: 'flat' };

/** Every tool a principal may see. */
export function visibleTools(deps: RestDeps, principal: Principal, toolset?: string): Registered[] {
  return deps.gateway.visibility.tools({ view: viewOf(deps, toolset), principal });
}

/** Those of them that fit a wish, the best first. */
export function rankedTools(
  deps: RestDeps,
  principal: Principal,
  wish: string,
  toolset?: string,
): Promise<Registered[]> {
  return deps.gateway.visibility.search({ view: viewOf(deps, toolset), principal })(wish, Number.POSITIVE_INFINITY);
}

function viewOf({ gateway }: RestDeps, toolset: string | undefined): View {
  const asked = toolset === undefined ? view : { ...view, toolset };
  const problem = gateway.service.viewProblem(asked);
  if (problem !== undefined) throw new AppError('not_found', problem);
  return asked;
}

/** Finds a tool by name or alias, to show it. */
export function toolToShow(deps: RestDeps, principal: Principal, name: string): Registered {
  const tool = deps.gateway.visibility.projection({ view, principal }).find(name);
  if (!tool) throw unknownTool(deps, principal, name);
  return tool;
}

/** The error for a tool that does not exist or that the principal may not see. */
export function unknownTool({ gateway }: RestDeps, principal: Principal, name: string): AppError {
  const hint = gateway.visibility.missing(name, { view, principal }) ?? 'GET /api/v1/mcp/tools lists the names.';
  return new AppError('not_found', `No tool ${shown(name)}. ${hint}`);
}
