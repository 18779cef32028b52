import { createHash, hash, randomUUID } from 'node:crypto';
import type { Callable } from './callable.ts';
import { AppError, toAppError } from './errors.ts';
import type { Principal } from './principal.ts';
import type { Shared } from './shared.ts';
import type { CallContext, CallParams, Json } from './source.ts';

const CONFIRM_MINUTES = 10;

type Keeping = Pick<Shared, 'keep' | 'take'>;

/** Single-use tickets of one kind. A ticket is gone once it was taken, whether or not it fits. */
function createTickets({ keep, take }: Keeping, kind: string) {
  // Hashed: request states may be long, and whoever reads the store must not find a usable token.
  const keyOf = (ticket: string) => `${kind} ${hash('sha256', ticket, 'base64url')}`;
  return {
    keep: (ticket: string, binding: string, principal: string) =>
      keep(keyOf(ticket), binding, CONFIRM_MINUTES * 60_000, principal),
    /** Whether the ticket fits this call. Of two concurrent calls, on any replica, only one gets it. */
    async take(ticket: unknown, binding: string): Promise<boolean> {
      if (typeof ticket !== 'string') return false;
      const taken = take(keyOf(ticket));
      return (taken instanceof Promise ? await taken : taken) === binding;
    },
  };
}

/** Whether this principal has to confirm calls of this tool; `human`: by elicitation only. */
export function needsConfirmation({ entry }: Callable, principal: Principal): boolean | 'human' {
  if (principal.confirm === 'never') return entry.confirm === 'human' ? 'human' : false;
  if (principal.confirm === 'writes' && entry.effect !== 'read') return entry.confirm || true;
  return entry.confirm ?? false;
}

/** Decides what needs confirmation and accepts it: from the user, or as the token of the first answer. */
export function createConfirmations(shared: Keeping) {
  const tokens = createTickets(shared, 'confirm');
  /**
   * Request states from which confirmed calls continue. Kept apart from tokens, so that one cannot pass as the other.
   */
  const states = createTickets(shared, 'state');

  async function ask(
    callable: Callable,
    params: CallParams,
    context: CallContext,
    need: boolean | 'human',
  ): Promise<CallParams> {
    const { token, args } = tokenIn(callable, params, context);
    const stripped = args === params.arguments ? params : { ...params, arguments: args };
    if (!need) return stripped;
    const more = await callable.entry.bound?.(stripped, context);
    const binding = bindingOf(callable, args ?? {}, context.principal, more);
    if (await states.take(params.requestState, binding)) return stripped;
    const isAsked = canElicit(context);
    if (!isAsked && need !== 'human' && (await tokens.take(token, binding))) return stripped;
    const preview = await callable.entry.preview?.(stripped, context);
    if (preview?.changes === false) return stripped;
    const says = preview?.says;
    if (isAsked && (await isAllowed(callable, says, need, context))) return stripped;
    if (need === 'human') {
      throw new AppError(
        'confirmation_required',
        `${callable.name} must be confirmed by a person, but this client cannot ask one. Nothing was done. Use a client that supports elicitation.`,
      );
    }
    if (isAsked && (await tokens.take(token, binding))) return stripped;
    const fresh = randomUUID();
    await tokens.keep(fresh, binding, context.principal.id);
    const why = token === undefined ? '' : 'That token is not valid for this call or was already used. ';
    throw new AppError(
      'confirmation_required',
      `${why}${callable.name} needs confirmation. ${says === undefined ? '' : `${says} `}Nothing was done yet. Ask the user; if they agree, repeat exactly this call with "confirm": "${fresh}" within ${CONFIRM_MINUTES} minutes.`,
      { data: { confirm: fresh } },
    );
  }

  return {
    /** Returns the params to run with, or throws an error that says what to do first. */
    pass(callable: Callable, params: CallParams, context: CallContext): CallParams | Promise<CallParams> {
      const need = !context.confirmed && needsConfirmation(callable, context.principal);
      return need || callable.entry.declaresConfirm ? ask(callable, params, context, need) : params;
    },
    /** A confirmed call ended with a question: the request that answers it needs no second confirmation. */
    goesOn(callable: Callable, params: CallParams, context: CallContext, requestState: unknown): void | Promise<void> {
      const { principal } = context;
      if (typeof requestState !== 'string' || !needsConfirmation(callable, principal)) return;
      return states.keep(requestState, bindingOf(callable, params.arguments ?? {}, principal), principal.id);
    },
  };
}

/** The token of a call, and its arguments without it. A backend's tool may have its own argument `confirm`. */
function tokenIn({ entry }: Callable, { arguments: given }: CallParams, { confirmToken }: CallContext) {
  const foreign = !entry.declaresConfirm && Object.hasOwn(entry.wire.inputSchema.properties ?? {}, 'confirm');
  if (foreign || typeof given?.confirm !== 'string') return { token: confirmToken, args: given };
  const { confirm, ...args } = given;
  return { token: confirm, args };
}

export function canElicit(context: CallContext): boolean {
  const elicitation = context.client.capabilities.elicitation as Json | undefined;
  return elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
}

/** Asks the user. False if the user could not be asked; throws if the user refused. */
async function isAllowed(
  { name }: Callable,
  says: string | undefined,
  need: true | 'human',
  context: CallContext,
): Promise<boolean> {
  const answer = await context.ask('elicitation/create', {
    mode: 'form',
    message: `Allow ${name}? ${says ?? 'It may change or delete things for good.'}`,
    requestedSchema: { type: 'object', properties: {} },
    // Tells our own clients that this question is not a backend's, and whether the user may have answered it in
    // advance.
    _meta: { 'sluice/confirm': need === 'human' ? 'human' : 'any' },
  });
  const stop = context.stop ?? context.signal;
  if (stop.aborted) throw toAppError(stop.reason);
  if ('error' in answer) return false;
  if (answer.result.action === 'accept') return true;
  throw new AppError('forbidden', `The user did not allow ${name}. Nothing was done.`);
}

function bindingOf({ name }: Callable, args: Json, principal: Principal, more?: string): string {
  return createHash('sha256')
    .update(JSON.stringify([principal.id, name, sorted(args), ...(more === undefined ? [] : [more])]))
    .digest('base64url');
}

/** The same value with the keys of its objects in order, so that equal values have equal texts. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
}
