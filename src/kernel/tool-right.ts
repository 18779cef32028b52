import { denial } from './call.ts';
import { AppError } from './errors.ts';
import type { Principal } from './principal.ts';
import type { ToolSource } from './source.ts';

/**
 * For a route that shows what a tool shows: throws unless the principal may call that tool. A key that is limited to
 * other tools then learns nothing from the route either.
 */
export function requireTool({ id, entries }: ToolSource, tool: string, principal: Principal): void {
  const entry = entries().find((one) => one.tool === tool);
  if (!entry)
    throw new AppError('not_found', `The ${id} of Sluice is switched off, or a server in sluice.yaml has its name.`);
  const denied = denial(principal, { name: tool, source: id, entry });
  if (denied) throw denied;
}
