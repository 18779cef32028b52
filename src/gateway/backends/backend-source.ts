import { argumentCheck } from '../../kernel/argument-check.ts';
import { AppError, messageOf, toAppError } from '../../kernel/errors.ts';
import { globMatcher } from '../../kernel/glob.ts';
import { own } from '../../kernel/own.ts';
import { untilPresent } from '../../kernel/presence.ts';
import { scopeFor } from '../../kernel/principal.ts';
import type { Entry, Json, ToolSource } from '../../kernel/source.ts';
import { type Annotations, effectOf } from '../../kernel/effect.ts';
import { shown } from '../../kernel/nearest-names.ts';
import type { WireTool } from '../../kernel/source.ts';
import { code, errorOutcome, isObject } from '../../wire/jsonrpc.ts';
import { type ParamHeader, paramHeaderMismatch, paramHeadersOf } from '../../wire/param-headers.ts';
import type { Answer } from '../../wire/service.ts';
import type { Backend } from './backend.ts';
import { exposedName } from '../names.ts';
import { checkPaths } from './paths.ts';
import type { Lane } from './lane.ts';
import { linkedUris, type Relay } from '../relay.ts';
import { type MadeTask, renameTask, taskMade, taskTtl } from '../tasks.ts';

export interface BackendSource extends ToolSource {
  readonly backend: Backend;
  changed(): void;
}

/** A backend's tools as entries: as the backend declared them, with the owner's settings on top. */
export function createBackendSource(
  backend: Backend,
  options: {
    relay: Relay;
    onLinks(backend: Backend, uris: string[]): void;
    /** Returns the id under which clients know the task. */
    onTask(task: MadeTask): Promise<string>;
  },
): BackendSource {
  const { settings } = backend;
  const included = settings.tools.include.length === 0 ? () => true : globMatcher(settings.tools.include);
  const excluded = globMatcher(settings.tools.exclude);
  const confirmed = globMatcher(settings.confirm);
  const hinted = new Map(settings.hints);
  const listeners = new Set<() => void>();
  let built: { tools: Json[]; held: number; entries: Entry[] } | undefined;

  function entryOf(definition: Json): Entry | undefined {
    const original = definition.name as string;
    const headers = paramHeadersOf(definition.inputSchema);
    // 2026 forbids using a tool with invalid header declarations.
    if (!Array.isArray(headers) && backend.catalogue?.era === 'modern' && settings.transport.kind === 'http')
      return undefined;
    const paramHeaders: ParamHeader[] = Array.isArray(headers) ? headers : [];
    const hints = hinted.get(original);
    const annotations: Partial<Annotations> | undefined = definition.annotations ?? hints?.annotations;
    const effect = effectOf(annotations);
    const describe = own(settings.tools.describe, original);
    const idempotent = effect === 'read' || annotations?.idempotentHint === true;
    const name = own(settings.tools.rename, original) ?? original;
    const check = settings.checkArguments ? argumentCheck(definition.inputSchema as Json) : undefined;
    const meant = settings.meant?.(definition.inputSchema as Json);
    const idleMs = silenceFor(settings, name);
    return {
      tool: name,
      wire: {
        ...(definition as unknown as WireTool),
        name,
        ...(settings.withheld && { inputSchema: without(settings.withheld, definition.inputSchema as Json) }),
        ...(definition.title === undefined && hints && { title: hints.title }),
        ...(annotations && { annotations }),
        ...(describe !== undefined && { description: describe }),
      },
      effect,
      ...(settings.unlisted && { unlisted: true }),
      // All tools of a group need `execute`, whatever they declare: to users the group is one thing that they run.
      scope: settings.group === undefined ? scopeFor(backend.name, effect) : scopeFor(settings.group, 'execute'),
      ...(confirmed(original) && { confirm: settings.confirmBy ?? true }),
      tags: settings.tags,
      ...(meant && { meant }),
      async call(params, context): Promise<Answer> {
        if (context.client.era === 'modern' && paramHeaders.length > 0 && context.paramHeaders) {
          const mismatch = paramHeaderMismatch(paramHeaders, params.arguments, context.paramHeaders);
          if (mismatch !== undefined) return errorOutcome(code.headerMismatch, `Header mismatch: ${mismatch}.`);
        }
        if (settings.allowedPaths) checkPaths(settings, original, params.arguments);
        check?.(name, params.arguments);
        using _ = settings.enter?.(name, context, params);
        // A connection that is still open does not know yet that the service behind it went away: wait here.
        if (settings.presence) await untilPresent(settings.presence, context.signal);
        let lane: Lane | undefined;
        const answer = await options
          .relay(
            backend,
            {
              method: 'tools/call',
              params: { ...params, name: original },
              name: original,
              idempotent,
              paramHeaders,
              ...(idleMs !== undefined && { idleMs }),
              servedBy: (served) => {
                lane = served;
              },
            },
            context,
          )
          .catch((error: unknown) => {
            throw settings.brokeOff && !idempotent ? settings.brokeOff(name, toAppError(error)) : error;
          });
        if ('result' in answer) {
          if (answer.result.isError !== true && settings.isFailure?.(answer.result))
            return { result: { ...answer.result, isError: true } };
          const links = linkedUris(answer.result);
          if (links.length > 0) options.onLinks(backend, links);
          const made = taskMade(answer.result);
          if (made !== undefined) {
            const { session } = context.client;
            const maker = { principal: context.principal.id, ...(session !== undefined && { session }) };
            const task = { own: made, server: backend.name, lane, ttlMs: taskTtl(answer.result), ...maker };
            const id = await options.onTask(task);
            if (id !== made) return { result: renameTask(answer.result, made, id) };
          }
        }
        return answer;
      },
    };
  }

  /** A definition that cannot be parsed affects only itself. */
  function soundEntry(definition: Json): Entry | undefined {
    try {
      return entryOf(definition);
    } catch (cause) {
      const name = shown(definition.name as string);
      backend.noted(new AppError('unsupported', `its tool ${name} cannot be listed: ${messageOf(cause)}`, { cause }));
      return undefined;
    }
  }

  return {
    id: backend.name,
    prefix: backend.prefix,
    exposure: 'flat',
    ...(settings.expose && { expose: settings.expose }),
    ...(settings.description !== undefined && { description: settings.description }),
    backend,
    entries() {
      const tools = backend.catalogue?.tools ?? [];
      if (built?.tools === tools && built.held === backend.offer.held.size) return built.entries;
      const entries = tools
        .filter(
          ({ name }) =>
            included(name as string) && !excluded(name as string) && !backend.offer.held.has(name as string),
        )
        .flatMap((definition) => soundEntry(definition) ?? []);
      built = { tools, held: backend.offer.held.size, entries };
      return entries;
    },
    leftOut: (reason) => backend.noted(new AppError('unsupported', `not all of its tools can be listed: ${reason}`)),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    changed() {
      built = undefined;
      for (const listener of listeners) listener();
    },
  };
}

/** How long a call of this tool may be silent, if `callTimeouts` names the tool. */
function silenceFor({ callTimeouts, prefix = '' }: Backend['settings'], tool: string): number | undefined {
  if (!callTimeouts) return undefined;
  const name = exposedName(prefix, tool);
  return Object.entries(callTimeouts).find(([glob]) => globMatcher([glob])(name))?.[1];
}

/** The schema without these arguments. */
function without(withheld: readonly string[], schema: Json): Json {
  const { properties } = schema;
  if (!isObject(properties)) return schema;
  return {
    ...schema,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !withheld.includes(name))),
  };
}
