import { AppError, messageOf, toAppError } from '../kernel/errors.ts';
import type { Health } from '../kernel/health.ts';
import { callTool, previewTool } from '../kernel/call.ts';
import { onBehalfOf } from '../kernel/caller.ts';
import { codeOf, type ListedTool, listedTool } from '../kernel/listed-tool.ts';
import { ownEntry } from '../kernel/own-source.ts';
import type { CallContext, Entry, ToolSource } from '../kernel/source.ts';
import type { AnyTool } from '../kernel/tool.ts';
import { isTooLong } from '../kernel/message-limit.ts';
import { failureAt } from '../kernel/unreachable.ts';
import { placeOf } from './failures.ts';
import { keptConnection } from './kept-connection.ts';
import type { AnyModule, Around } from './module.ts';
import { reach } from './reach.ts';
import { namingOf } from './renamed.ts';
import type { CommonSettings } from './settings.ts';
import { tlsOf } from './tls.ts';

export interface InstanceOptions extends Pick<Around, 'own' | 'model' | 'budget' | 'revealed'> {
  /** The name of the source. */
  readonly name: string;
  readonly module: AnyModule;
  readonly settings: CommonSettings;
  readonly idleMs?: number | undefined;
  redact(text: string): string;
  /** Called when it stops working, with the reason, and when it works again. */
  changed?(reason: string | undefined): void;
}

/** A service of the file, with its connection. */
export interface Instance extends AsyncDisposable {
  readonly name: string;
  readonly type: string;
  readonly settings: CommonSettings;
  /** Where the service is, without credentials. */
  readonly where: string;
  /** What every tools/list says about it. */
  readonly about: Pick<ToolSource, 'description' | 'guide'>;
  entries(): readonly Entry[];
  absence(tool: string): string | undefined;
  health(): Health;
  /** Looks whether something listens there. Loads the driver only if the module connects at the start. */
  reach(signal: AbortSignal): Promise<void>;
  /** Connects, and asks the service for its version. Throws what is wrong with it. */
  check(signal: AbortSignal): Promise<string>;
}

type State =
  | { readonly is: 'unknown' }
  | { readonly is: 'ready'; readonly since: string; readonly detail?: string }
  | { readonly is: 'failing'; readonly since: string; readonly at: string; readonly message: string };

export async function createInstance(options: InstanceOptions): Promise<Instance> {
  const { name, module, settings, own, model, budget, revealed, redact } = options;
  const address = module.address(settings);
  const where = placeOf(address);
  const setting = `modules.${name}`;
  const at = `${name} at ${where}`;
  const all: readonly ListedTool[] = await (module.listed?.() ?? module.tools().then((tools) => tools.map(listedTool)));
  const naming = namingOf(module.name, name, all);
  const isReadOnly = settings.mode === 'read-only';
  let state: State = { is: 'unknown' };

  function settled(failure: { readonly message: string } | undefined, detail?: string): void {
    const now = new Date().toISOString();
    const was = state;
    if (!failure) {
      const since = was.is === 'ready' ? was.since : now;
      state = { is: 'ready', since, ...(detail !== undefined && { detail }) };
      if (was.is === 'failing') options.changed?.(undefined);
      return;
    }
    const message = redact(failure.message);
    state = { is: 'failing', since: was.is === 'failing' ? was.since : now, at: now, message };
    if (was.is !== 'failing') options.changed?.(message);
  }

  function explain(error: unknown): AppError {
    if (error instanceof AppError) return naming.error(error);
    if (isTooLong(error))
      return new AppError(
        'too_large',
        `${at} answered with ${messageOf(error)}, and the connection was closed. Ask for less: fewer or smaller values, with limits, ranges or fields.`,
        { cause: error },
      );
    const explained = module.explain?.(error, at) ?? failureAt(at, setting, error);
    return explained ? naming.error(explained) : toAppError(error);
  }

  const connection = keptConnection({
    at,
    setting,
    timeoutMs: settings.timeout,
    idleMs: options.idleMs,
    framing: module.framing,
    async connect(signal) {
      const tls = await tlsOf(settings, name);
      const around = { name, isReadOnly, timeoutMs: settings.timeout, own, model, budget, revealed };
      return await module.connect(settings, { ...around, tls, signal });
    },
    explain,
    settled,
  });

  /** The tool under its name here, run on the connection. */
  function connected(tool: AnyTool<AsyncDisposable>): AnyTool<undefined> {
    // No tool of a module has a confirmation that holds for more than its arguments.
    const { preview, bound: _, ...rest } = tool;
    return {
      ...rest,
      name: naming.name(tool.name),
      ...(preview && {
        preview: (input: never, _: undefined, context: CallContext) =>
          connection.use((open, signal) => preview(input, open, limited(context, signal)), {
            signal: context.signal,
            repeatable: true,
          }),
      }),
      run: (input, _, context, progress) =>
        connection.use((open, signal) => tool.run(input, open, limited(context, signal), progress), {
          signal: context.signal,
          repeatable: tool.effect === 'read',
        }),
    };
  }

  const codeNamed = codeOf(module.tools);
  const toolOf = async (tool: string) => connected(await codeNamed(tool));

  function entryOf(tool: ListedTool): Entry {
    const named = { source: name, tool: naming.name(tool.name) };
    const listing = {
      ...tool,
      name: named.tool,
      scope: naming.scope(tool.scope),
      wire: { ...tool.wire, name: named.tool, description: naming.text(tool.wire.description ?? '') },
      ...(tool.guidance !== undefined && { guidance: naming.text(tool.guidance) }),
    };
    return ownEntry(listing, {
      preview: (params, context) =>
        onBehalfOf(named, context, async () => await previewTool(await toolOf(tool.name), undefined)(params, context)),
      call: (params, context) =>
        onBehalfOf(named, context, async () => await callTool(await toolOf(tool.name), undefined)(params, context)),
    });
  }

  const isOffered = ({ effect, inReadOnly }: ListedTool) => !isReadOnly || effect === 'read' || inReadOnly === true;
  const changing = new Set(all.filter((tool) => !isOffered(tool)).map((tool) => naming.name(tool.name)));
  let entries: readonly Entry[] | undefined;

  return {
    name,
    type: module.name,
    settings,
    where,
    about: {
      description: module.description,
      ...(module.guide && { guide: () => (module.guide ?? []).map(naming.text) }),
    },
    entries: () => (entries ??= all.filter(isOffered).map(entryOf)),
    absence(tool) {
      const meant = [tool, `${name}_${tool}`].find((one) => changing.has(one));
      return (
        meant &&
        `${meant} changes things, and ${name} is read-only. To allow it, set ${setting}.mode to read-write in sluice.yaml.`
      );
    },
    health() {
      const about = { name, kind: 'module' } as const;
      if (state.is === 'unknown') return { ...about, state: 'ready', detail: `at ${where}, not used yet` };
      if (state.is === 'ready')
        return { ...about, state: 'ready', since: state.since, detail: state.detail ?? `at ${where}` };
      const { since, message, at: when } = state;
      return { ...about, state: 'failing', since, lastError: { message, at: when } };
    },
    async reach(signal) {
      try {
        await reach(address, signal);
        if (module.connectsAtStart) await connection.use(async () => {}, { signal, repeatable: true });
        settled(undefined, `at ${where}, not used yet`);
      } catch (error) {
        const failure = error instanceof AppError ? error : failureAt(at, setting, error);
        settled(failure ?? { message: `${at} cannot be reached: ${messageOf(error)}` });
        throw error;
      }
    },
    async check(signal) {
      const detail = await connection.use((open, limit) => module.check(open, limit), { signal, repeatable: true });
      settled(undefined, detail);
      return detail;
    },
    [Symbol.asyncDispose]: () => connection[Symbol.asyncDispose](),
  };
}

/** Stands for a service whose module fails by itself: it has no tools, and says why. */
export function brokenInstance(
  { name, settings }: Pick<InstanceOptions, 'name' | 'settings'>,
  message: string,
): Instance {
  const at = new Date().toISOString();
  const failure = new AppError('unavailable', message);
  return {
    name,
    type: settings.type ?? name,
    settings,
    where: '-',
    about: {},
    entries: () => [],
    absence: () => undefined,
    health: () => ({ name, kind: 'module', state: 'failing', since: at, lastError: { message, at } }),
    reach: async () => {},
    check: () => Promise.reject(failure),
    async [Symbol.asyncDispose]() {},
  };
}

/** The context of a call that also ends when its time is over. */
function limited(context: CallContext, signal: AbortSignal): CallContext {
  return {
    principal: context.principal,
    signal,
    trace: context.trace,
    // Read it every time: a parked call comes back with another exchange.
    get client() {
      return context.client;
    },
    notify: (method, params) => context.notify(method, params),
    ask: (method, params, stop) => context.ask(method, params, stop),
  };
}
