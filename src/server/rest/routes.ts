import type { Route } from '../../kernel/route.ts';
import type { RestDeps } from './deps.ts';
import { describeTool } from './describe-tool.ts';
import { mcpHealth } from './health.ts';
import { invoke, invokeInternally, invokeNamed } from './invoke.ts';
import { listSources } from './list-sources.ts';
import { listTools, listToolsInternally } from './list-tools.ts';

/** The REST endpoints. */
export function restRoutes(deps: RestDeps): Route[] {
  return [listTools(deps), listSources(deps), describeTool(deps), invoke(deps), invokeNamed(deps), mcpHealth(deps)];
}

/** The variants without a key, for other services on this machine. They have their own listener. */
export function internalRoutes(deps: RestDeps): Route[] {
  return [listToolsInternally(deps), invokeInternally(deps)];
}
