import { type Callable, isNamedBy } from './callable.ts';
import { type ConfirmationDesk, createConfirmations } from './confirmation.ts';
import { AppError, errorCodes, toAppError, unforeseenIn } from './errors.ts';
import type { CallEvents } from './call-facts.ts';
import { changedJson } from './exact-json.ts';
import { globMatcher } from './glob.ts';
import { inEvent } from './harmless.ts';
import { joined } from './large-text.ts';
import { inputWords, notCalled } from './input-words.ts';
import { hasScope, literalScopes, maySee, permissionsOf, type Principal, whyLacking } from './principal.ts';
import { progressFor } from './progress.ts';
import { redactError } from './redact.ts';
import type { Shared } from './shared.ts';
import type { CallContext, CallParams, Json, Outcome, Preview } from './source.ts';
import { type AnyTool, Written } from './tool.ts';

export interface CallPath {
  call(callable: Callable, params: CallParams, context: CallContext): Promise<Outcome>;
  /**
   * Records a call of a tool that does not exist or that the caller may not see. Events, usage and metrics count all of
   * them as one tool, because callers choose the names. `asked` is the requested name, if it may be recorded.
   */
  unknown(asked: string | undefined, context: CallContext, reason: 'not_found' | 'forbidden'): void;
  /** The error to show: without secrets. An unexpected error is logged and shown without its cause. */
  told(thrown: unknown, about: Unforeseen): AppError;
}

/** Where an unexpected error happened. */
export interface Unforeseen {
  readonly traceId: string;
  readonly tool?: string;
}

/** Stands for a tool that does not exist. Exposed names never contain parentheses. */
const UNKNOWN = '(unknown)';

const UNSTORED =
  'The event of this call is not stored yet, because the store does not answer. Sluice keeps it in memory and tries again; if Sluice ends before that, the event is lost.';

/** How a call ended. */
export interface CallEnd {
  readonly ms: number;
  /** `unconfirmed`: nothing was done, because the call has to be confirmed first. That is no failure. */
  readonly state: 'completed' | 'unconfirmed' | 'failed';
  /** Why it failed. */
  readonly reason?: string;
  readonly outcome: Outcome;
}

/** Measures or follows calls. Must not throw, and must be fast: every call pays for it. */
export interface CallObserver {
  /** Called when a call begins. The returned function is called when it ends. */
  begins(callable: Callable, params: CallParams, context: CallContext): ((end: CallEnd) => void) | undefined;
}

export interface CallPathOptions {
  /** Where confirmations wait, so that they can be given on another replica. */
  readonly shared: Pick<Shared, 'keep' | 'take'>;
  /** Where people decide about calls that wait for confirmation. */
  readonly desk?: ConfirmationDesk;
  /** Read at each call: parts may still be opening. */
  readonly observers?: () => readonly CallObserver[];
  /** Throws if the tool was called too often. */
  readonly limit?: (callable: Callable, principal: Principal) => void | Promise<void>;
  /** Redacts the secrets that Sluice knows from every error that leaves it. */
  readonly redact?: (text: string) => string;
  /** Logs an unexpected error. */
  readonly unforeseen?: (thrown: unknown, about: Unforeseen) => void;
}

/** The path of every call: scope, limit, confirmation, run, event. Our own tools also check input and output. */
export function createCallPath(
  events: CallEvents,
  { shared, desk, observers = () => [], limit, redact = (text) => text, unforeseen }: CallPathOptions,
): CallPath {
  const confirmations = createConfirmations(shared, desk);

  function told(thrown: unknown, about: Unforeseen): AppError {
    const error = toAppError(thrown);
    const cause = unforeseenIn(error);
    if (!cause) return redactError(error, redact);
    unforeseen?.(cause.thrown, about);
    return new AppError(
      'internal',
      `${about.tool ?? 'Sluice'} failed unexpectedly. Search Sluice's log for ${about.traceId} to find the cause.`,
      { cause: error },
    );
  }

  return {
    told,
    async call(callable, params, context) {
      const { name, source, entry } = callable;
      const principal = context.principal.id;
      const trace = { traceId: context.trace.traceId };
      const started = performance.now();
      const following = begin(observers(), callable, params, context);
      const { bytes: asked } = context;
      events.record(
        { type: 'tool.call_received', tool: name, source, principal, ...(asked && { bytes: asked }) },
        trace,
      );
      let outcome: Outcome;
      try {
        const denied = denial(context.principal, callable, params.arguments ?? {});
        if (denied) throw denied;
        const limited = limit?.(callable, context.principal);
        if (limited) await limited;
        const passed = confirmations.pass(callable, asMeant(callable, params), context);
        const confirmed = passed instanceof Promise ? await passed : passed;
        outcome = withText(await entry.call(confirmed, context));
        if ('result' in outcome && outcome.result.resultType === 'input_required') {
          const kept = confirmations.goesOn(callable, confirmed, context, outcome.result.requestState);
          // If it cannot be kept, the answer needs another confirmation. The call itself has succeeded.
          if (kept) await kept.catch(() => {});
        }
      } catch (thrown) {
        outcome = failed(told(thrown, { ...trace, tool: name }));
      }
      const ms = Math.round((performance.now() - started) * 100) / 100;
      const isUnconfirmed = outcome.failed?.code === 'confirmation_required';
      const reason = isUnconfirmed ? undefined : failureOf(outcome);
      const bytes = 'result' in outcome ? outcome.json?.length : undefined;
      const execution = executionIn(outcome);
      const ran = execution === undefined ? undefined : { execution };
      if (isUnconfirmed) events.record({ type: 'tool.call_unconfirmed', tool: name, source, principal, ms }, trace);
      else if (reason === undefined)
        events.record(
          { type: 'tool.call_completed', tool: name, source, principal, ms, ...(bytes && { bytes }), ...ran },
          trace,
        );
      else events.record({ type: 'tool.call_failed', tool: name, source, principal, ms, reason, ...ran }, trace);
      if (following) {
        const end: CallEnd = isUnconfirmed
          ? { ms, outcome, state: 'unconfirmed' }
          : reason === undefined
            ? { ms, outcome, state: 'completed' }
            : { ms, outcome, state: 'failed', reason };
        for (const ended of following) ended(end);
      }
      const stored = events.durable?.();
      return stored && !(await stored) ? withNotice(outcome, UNSTORED) : outcome;
    },
    unknown(asked, context, reason) {
      const { principal, trace } = context;
      const error = { code: errorCodes.not_found.rpc, message: 'Unknown tool' };
      const following = begin(observers(), unknownTool, { name: UNKNOWN }, context);
      for (const ended of following ?? []) ended({ ms: 0, state: 'failed', reason, outcome: { error } });
      events.record(
        {
          type: 'tool.call_failed',
          tool: UNKNOWN,
          source: UNKNOWN,
          principal: principal.id,
          ms: 0,
          reason,
          ...(asked !== undefined && { asked: inEvent(asked) }),
        },
        { traceId: trace.traceId },
      );
    },
  };
}

const unknownTool: Callable = {
  name: UNKNOWN,
  source: UNKNOWN,
  entry: {
    tool: UNKNOWN,
    wire: { name: UNKNOWN, inputSchema: { type: 'object' } },
    effect: 'execute',
    scope: 'admin',
    call: () => Promise.reject(new AppError('not_found', 'Unknown tool')),
  },
};

function begin(
  observers: readonly CallObserver[],
  callable: Callable,
  params: CallParams,
  context: CallContext,
): ((end: CallEnd) => void)[] | undefined {
  let following: ((end: CallEnd) => void)[] | undefined;
  for (const observer of observers) {
    const ended = observer.begins(callable, params, context);
    if (ended) (following ??= []).push(ended);
  }
  return following;
}

function asMeant({ entry }: Callable, params: CallParams): CallParams {
  if (!entry.meant || !params.arguments) return params;
  const meant = entry.meant(params.arguments);
  return meant === params.arguments ? params : { ...params, arguments: meant };
}

/** The caller needs the text anyway. Creating it here also tells the size of the result. */
function withText(outcome: Outcome): Outcome {
  if ('error' in outcome || outcome.json !== undefined) return outcome;
  return { ...outcome, json: joined('', JSON.stringify(outcome.result)) };
}

/** Says something to the caller beside the result, which stays as it is. */
function withNotice(outcome: Outcome, notice: string): Outcome {
  if ('error' in outcome) return outcome;
  const add = (result: Json) => void (result._meta = { ...(result._meta as Json), 'sluice/notice': notice });
  const result = { ...outcome.result };
  add(result);
  return {
    ...outcome,
    result,
    ...(outcome.json !== undefined && { json: changedJson(outcome.json, (same) => add(same as Json)) }),
  };
}

/** Why this principal may not call this tool with these arguments, or may not see it; undefined if it may. */
export function denial(principal: Principal, callable: Callable, wish: 'see' | Json = {}): AppError | undefined {
  const { name, entry } = callable;
  if (permissionsOf(principal) === 'all') return undefined;
  // Whoever may make only the harmless calls of a tool has to see it.
  const { effect, scope } = entry.judge?.(wish === 'see' ? {} : wish) ?? entry;
  const isScoped =
    wish === 'see' ? (entry.scopes ?? [scope]).some((one) => maySee(principal, one)) : hasScope(principal, scope);
  if (!isScoped) {
    const either = literalScopes.has(scope) ? '' : ' or tools:execute';
    const what = entry.judge ? `This call of ${name}` : name;
    return new AppError('forbidden', `${what} needs the scope ${scope}${either}, ${whyLacking(principal)}`, {
      data: { scope },
    });
  }
  if (principal.readOnly && effect !== 'read') {
    return new AppError('forbidden', `${name} changes things, but this key is read-only.`);
  }
  if (principal.tools && !isNamedBy(matcherOf(principal.tools), callable)) {
    return new AppError('forbidden', `${name} is not among the tools this key may use.`);
  }
  return undefined;
}

const matchers = new WeakMap<readonly string[], (name: string) => boolean>();

function matcherOf(globs: readonly string[]): (name: string) => boolean {
  let known = matchers.get(globs);
  if (!known) matchers.set(globs, (known = globMatcher(globs)));
  return known;
}

/** A tool's error is a result that tells the model what to do next. Only cancellation is a protocol error. */
export function failed(error: AppError): Outcome {
  if (error.code === 'cancelled') return { error: { code: error.rpc, message: error.message }, failed: error };
  return {
    result: {
      content: [{ type: 'text', text: error.message }],
      isError: true,
      _meta: { 'sluice/error': { code: error.code, retryable: error.retryable, ...error.data } },
    },
    failed: error,
  };
}

// Never the error's own text: it could quote arguments.
function failureOf(outcome: Outcome): string | undefined {
  if (outcome.failed) return outcome.failed.code;
  if ('error' in outcome) return `rpc ${outcome.error.code}`;
  return outcome.result.isError === true ? 'tool error' : undefined;
}

/**
 * The n8n execution of a call. The name comes from n8n's answer, which the workflow's author controls: accept only ids.
 */
function executionIn(outcome: Outcome): string | undefined {
  if ('error' in outcome) return undefined;
  const id = outcome.execution ?? outcome.failed?.data?.execution;
  return typeof id === 'string' && /^[\w-]{1,40}$/.test(id) ? id : undefined;
}

/** What a call of one of our own tools would do, as far as it is known. */
export function previewTool<Deps>(tool: AnyTool<Deps>, deps: Deps) {
  return async (params: CallParams, context: CallContext): Promise<Preview> => {
    const input = inputOf(tool, params);
    if ((input as { dry_run?: unknown }).dry_run === true) return { changes: false };
    if (!tool.preview) return { changes: true };
    const says = await tool.preview(input, deps, context);
    return says === undefined ? { changes: false } : { changes: true, says };
  };
}

/** What a confirmation of one of our own tools holds for besides the arguments. */
export function boundBy<Deps>(tool: AnyTool<Deps>, deps: Deps) {
  return async (params: CallParams, context: CallContext): Promise<string> =>
    (await tool.bound?.(inputOf(tool, params), deps, context)) ?? '';
}

function inputOf(tool: AnyTool<never>, params: CallParams): never {
  const input = tool.input.safeParse(params.arguments ?? {}, { error: inputWords });
  if (input.success) return input.data;
  throw new AppError('invalid_input', notCalled(tool.name, input.error.issues));
}

/** Makes one of our own tools callable: parses its input and ensures that its output matches its schema. */
export function callTool<Deps>(tool: AnyTool<Deps>, deps: Deps) {
  return async (params: CallParams, context: CallContext): Promise<Outcome> => {
    const made = await tool.run(inputOf(tool, params), deps, context, progressFor(params, context));
    if (made instanceof Written) return writtenResult(made);
    const data = tool.output.parse(made) as Json;
    const text = JSON.stringify(data);
    return {
      result: { content: [{ type: 'text', text }], structuredContent: data },
      json: resultText(text, JSON.stringify(text)),
    };
  };
}

/** MCP wants the data twice. Serialize it only once. */
const resultText = (data: string, quoted: string): string =>
  `{"content":[{"type":"text","text":${quoted}}],"structuredContent":${data}}`;

/** Parse lazily: most callers want only the text. */
function writtenResult({ json: text, quoted }: Written): Outcome {
  const result = {
    content: [{ type: 'text', text }],
    get structuredContent() {
      return JSON.parse(text) as Json;
    },
  };
  return { result, json: resultText(text, quoted) };
}
