import { createHash, randomUUID } from 'node:crypto';
import { AppError, errorCodes, toAppError } from './errors.ts';
import type { EventLog } from './events.ts';
import { globMatcher } from './glob.ts';
import { hasScope, type Principal } from './principal.ts';
import type { CallContext, CallParams, Entry, Json, Outcome } from './source.ts';
import type { AnyTool } from './tool.ts';

/** A tool as it is called: the entry, and the names it goes by. */
export interface Callable {
  readonly name: string;
  readonly source: string;
  readonly entry: Entry;
}

export interface CallPath {
  call(callable: Callable, params: CallParams, context: CallContext): Promise<Outcome>;
}

/** The one path of every call: scope, confirm, run, event. Input and output are checked where the tool is ours. */
export function createCallPath(events: EventLog): CallPath {
  const confirmations = createConfirmations();
  return {
    async call(callable, params, context) {
      const { name, source, entry } = callable;
      const principal = context.principal.id;
      const trace = { traceId: context.trace.traceId };
      const started = performance.now();
      events.record({ type: 'tool.call_received', tool: name, source, principal }, trace);
      let outcome: Outcome;
      try {
        const denied = denial(context.principal, callable);
        if (denied) throw denied;
        const confirmed = await confirmations.pass(callable, params, context);
        outcome = await entry.call(confirmed, context);
        if ('result' in outcome && outcome.result.resultType === 'input_required') {
          confirmations.goesOn(callable, confirmed, context, outcome.result.requestState);
        }
      } catch (thrown) {
        outcome = failed(toAppError(thrown));
      }
      const ms = Math.round((performance.now() - started) * 100) / 100;
      const reason = failureOf(outcome);
      if (reason === undefined)
        events.record({ type: 'tool.call_completed', tool: name, source, principal, ms }, trace);
      else events.record({ type: 'tool.call_failed', tool: name, source, principal, ms, reason }, trace);
      return outcome;
    },
  };
}

/** Why this principal may not use this tool, if so. Listing and calling ask the same question. */
export function denial(principal: Principal, { name, entry }: Callable): AppError | undefined {
  if (principal.scopes === 'all' && !principal.tools && !principal.readOnly) return undefined;
  if (!hasScope(principal, entry.scope)) {
    return new AppError('forbidden', `${name} needs the scope ${entry.scope}, which this key does not have.`);
  }
  if (principal.readOnly && entry.effect !== 'read') {
    return new AppError('forbidden', `${name} changes things, and this key is read-only.`);
  }
  if (principal.tools && !globMatcher(principal.tools)(name)) {
    return new AppError('forbidden', `${name} is not among the tools this key may use.`);
  }
  return undefined;
}

/** Errors of a tool are results that tell the model what to do next; only cancellation is a protocol error. */
export function failed(error: AppError): Outcome {
  if (error.code === 'cancelled') return { error: { code: errorCodes.cancelled.rpc, message: error.message } };
  return {
    result: {
      content: [{ type: 'text', text: error.message }],
      isError: true,
      _meta: { 'sluice/error': { code: error.code, retryable: error.retryable, ...error.data } },
    },
  };
}

// Never the error's own words: a foreign text could carry what was in the arguments.
function failureOf(outcome: Outcome): string | undefined {
  if ('error' in outcome) return `rpc ${outcome.error.code}`;
  if (outcome.result.isError !== true) return undefined;
  const ours = (outcome.result._meta as Json | undefined)?.['sluice/error'] as { code?: string } | undefined;
  return ours?.code ?? 'tool error';
}

/** One of our own tools as an entry: its input is parsed, its output always satisfies its schema. */
export function callTool<Deps>(tool: AnyTool<Deps>, deps: Deps) {
  return async (params: CallParams, context: CallContext): Promise<Outcome> => {
    const input = tool.input.safeParse(params.arguments ?? {});
    if (!input.success) {
      const problems = input.error.issues.map((issue) => `${issue.path.join('.') || 'arguments'}: ${issue.message}`);
      throw new AppError('invalid_input', `${tool.name} was not called: ${problems.join('; ')}.`);
    }
    const data = tool.output.parse(await tool.run(input.data, deps, context)) as Json;
    return { result: { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: data } };
  };
}

const CONFIRM_MINUTES = 10;

function createConfirmations() {
  const pending = new Map<string, { binding: string; expires: number }>();

  function keep(token: string, binding: string): void {
    for (const [key, value] of pending) if (value.expires < Date.now()) pending.delete(key);
    pending.set(token, { binding, expires: Date.now() + CONFIRM_MINUTES * 60_000 });
  }

  function fits(token: unknown, binding: string): boolean {
    const known = typeof token === 'string' ? pending.get(token) : undefined;
    return known !== undefined && known.binding === binding && known.expires > Date.now();
  }

  function needs({ entry }: Callable, principal: Principal): boolean | 'human' {
    if (principal.confirm === 'never') return entry.confirm === 'human' ? 'human' : false;
    if (principal.confirm === 'writes' && entry.effect !== 'read') return entry.confirm || true;
    return entry.confirm ?? false;
  }

  return {
    /** Returns the params to run with, or throws what the caller must do first. */
    async pass(callable: Callable, params: CallParams, context: CallContext): Promise<CallParams> {
      const need = needs(callable, context.principal);
      if (!need && !callable.entry.declaresConfirm) return params;
      const { token, args } = tokenIn(callable, params, context);
      const stripped = args === params.arguments ? params : { ...params, arguments: args };
      if (!need) return stripped;
      const binding = bindingOf(callable, args ?? {}, context.principal);
      if (fits(params.requestState, binding)) return stripped;
      if (canElicit(context) && (await isAllowed(callable, need, context))) return stripped;
      if (need === 'human') {
        throw new AppError(
          'confirmation_required',
          `${callable.name} must be confirmed by a person, and this client cannot ask one. Nothing was done. Use a client that supports elicitation.`,
        );
      }
      const fitting = fits(token, binding);
      if (token !== undefined) pending.delete(token);
      if (fitting) return stripped;
      const fresh = randomUUID();
      keep(fresh, binding);
      const why = token === undefined ? '' : 'That token does not fit this call or was used before. ';
      throw new AppError(
        'confirmation_required',
        `${why}${callable.name} has to be confirmed. Nothing was done yet. Ask the user; if they agree, repeat exactly this call with "confirm": "${fresh}" within ${CONFIRM_MINUTES} minutes.`,
        { data: { confirm: fresh } },
      );
    },
    /** A confirmed call ended with a question of its own: the request that answers it needs no second confirmation. */
    goesOn(callable: Callable, params: CallParams, context: CallContext, requestState: unknown): void {
      if (typeof requestState !== 'string' || !needs(callable, context.principal)) return;
      keep(requestState, bindingOf(callable, params.arguments ?? {}, context.principal));
    },
  };
}

/** The token of a call, and its arguments without it. A foreign tool may have an argument of that name of its own. */
function tokenIn({ entry }: Callable, { arguments: given }: CallParams, { confirmToken }: CallContext) {
  const foreign = !entry.declaresConfirm && Object.hasOwn(entry.wire.inputSchema.properties ?? {}, 'confirm');
  if (foreign || typeof given?.confirm !== 'string') return { token: confirmToken, args: given };
  const { confirm, ...args } = given;
  return { token: confirm, args };
}

function canElicit(context: CallContext): boolean {
  const elicitation = context.client.capabilities.elicitation as Json | undefined;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Asks the user. False when they could not be asked; a refusal is thrown. */
async function isAllowed({ name }: Callable, need: true | 'human', context: CallContext): Promise<boolean> {
  const answer = await context.ask('elicitation/create', {
    mode: 'form',
    message: `Allow ${name}? It may change or delete things for good.`,
    requestedSchema: { type: 'object', properties: {} },
    // Tells a client of ours this question from a backend's, and whether its user may have answered it beforehand.
    _meta: { 'sluice/confirm': need === 'human' ? 'human' : 'any' },
  });
  const stop = context.stop ?? context.signal;
  if (stop.aborted) throw toAppError(stop.reason);
  if ('error' in answer) return false;
  if (answer.result.action === 'accept') return true;
  throw new AppError('forbidden', `The user did not allow ${name}. Nothing was done.`);
}

function bindingOf({ name }: Callable, args: Json, principal: Principal): string {
  return createHash('sha256')
    .update(JSON.stringify([principal.id, name, sorted(args)]))
    .digest('base64url');
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
