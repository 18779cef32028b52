import type { Route } from '../../kernel/route.ts';
import type { RestDeps } from './deps.ts';
import { describeTool } from './describe-tool.ts';
import { mcpHealth } from './health.ts';
import { invoke, invokeInternally, invokeNamed } from './invoke.ts';
import { listTools, listToolsInternally } from './list-tools.ts';

/** Every tool over plain HTTP. */
export function restRoutes(deps: RestDeps): Route[] {
  return [listTools(deps), describeTool(deps), invoke(deps), invokeNamed(deps), mcpHealth(deps)];
}

/** The variants for other services of the same machine, which have no key. They are served on a listener of their own. */
export function internalRoutes(deps: RestDeps): Route[] {
  return [listToolsInternally(deps), invokeInternally(deps)];
}
