import type { Registered } from '../../gateway/registry.ts';
import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import { shown } from '../../kernel/nearest-names.ts';
import type { View } from '../../wire/service.ts';
import type { RestDeps } from './deps.ts';

/** Every tool under its own name, whatever way it is listed to MCP clients. */
export const view: View = { expose: 'flat' };

/** Every tool a principal may know of. */
export function visibleTools({ gateway }: RestDeps, principal: Principal, toolset?: string): Registered[] {
  const asked = toolset === undefined ? view : { ...view, toolset };
  const problem = gateway.service.viewProblem(asked);
  if (problem !== undefined) throw new AppError('not_found', problem);
  return gateway.visibility.tools({ view: asked, principal });
}

/** The tool of a name or alias, to be shown. */
export function toolToShow(deps: RestDeps, principal: Principal, name: string): Registered {
  const tool = deps.gateway.visibility.projection({ view, principal }).find(name);
  if (!tool) throw unknownTool(deps, principal, name);
  return tool;
}

/** A tool that is not there, and one that the principal may not know of, in the words of this API. */
export function unknownTool({ gateway }: RestDeps, principal: Principal, name: string): AppError {
  const hint = gateway.visibility.missing(name, { view, principal }) ?? 'GET /api/v1/mcp/tools lists the names.';
  return new AppError('not_found', `There is no tool ${shown(name)}. ${hint}`);
}
