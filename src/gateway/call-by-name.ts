import { type CallPath, failed } from '../kernel/call.ts';
import { formerly } from '../kernel/callable.ts';
import { AppError } from '../kernel/errors.ts';
import { sentences, shown } from '../kernel/nearest-names.ts';
import type { CallContext, Json, Outcome } from '../kernel/source.ts';
import { envelopeOf } from './era.ts';
import type { Registered, Registry } from './registry.ts';
import { createRouter } from './router.ts';
import type { RouteRule } from './settings.ts';
import { recordUnknownCall } from './unknown-call.ts';
import type { Visibility } from './visibility.ts';

/**
 * Calls a tool on behalf of a caller, as if he had called it himself: with routes, scopes, limits, confirmation and
 * events. A tool that he may not see does not exist for him. `refusal` may refuse the tool that a route leads to.
 * `more` goes into the `_meta` of the call. What goes wrong is in `failed` of the outcome.
 */
export type CallByName = (
  name: string,
  args: Json,
  context: CallContext,
  refusal?: (tool: Registered, args: Json) => AppError | undefined,
  more?: Json,
) => Promise<Outcome>;

export function callByName(deps: {
  registry: Registry;
  callPath: CallPath;
  visibility: Visibility;
  routes(): readonly RouteRule[];
  /** For callers whose client has not told its name. */
  serverInfo: Json;
}): CallByName {
  const { callPath, visibility, serverInfo } = deps;
  const route = createRouter(deps.registry, deps.routes);
  return async (name, args, context, refusal, more) => {
    const viewer = { view: {}, principal: context.principal };
    const seen = visibility.projection(viewer);
    const tool = seen.find(name);
    if (!tool) {
      const withheld = seen.withheld(name);
      if (withheld) return failed(withheld);
      recordUnknownCall(deps, name, context);
      const hint = visibility.missing(name, viewer);
      return failed(new AppError('not_found', sentences(`Unknown tool: ${shown(name)}.`, hint ?? '')));
    }
    const given = formerly(tool, name)?.(args) ?? args;
    const routed = route(tool, given);
    if (routed instanceof AppError) return failed(routed);
    const refused = seen.refusal?.(routed, given) ?? refusal?.(routed, given);
    if (refused) return failed(refused);
    const { client } = context;
    // The relay adds this for clients of 2025. Requests of 2026 bring it, and this one comes from nowhere.
    const envelope = client.era === 'modern' ? envelopeOf(client, serverInfo) : undefined;
    const meta = envelope || more ? { _meta: { ...envelope, ...more } } : undefined;
    return await callPath.call(routed, { name: tool.name, arguments: given, ...meta }, context);
  };
}
