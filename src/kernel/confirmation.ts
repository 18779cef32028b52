import { createHash, randomUUID } from 'node:crypto';
import type { Callable } from './callable.ts';
import { AppError, toAppError } from './errors.ts';
import type { Principal } from './principal.ts';
import type { CallContext, CallParams, Json } from './source.ts';

const CONFIRM_MINUTES = 10;
/** Per principal: a caller that never confirms must not fill the memory or push out the tokens of others. */
const MOST_PENDING = 1000;

/** Single-use tickets. A ticket is gone once it was taken, whether or not it fits. */
function createTickets() {
  const pending = new Map<string, { binding: string; expires: number; principal: string }>();
  /** Tickets by principal. */
  const owned = new Map<string, Set<string>>();

  function forget(ticket: string): void {
    const known = pending.get(ticket);
    if (!known) return;
    pending.delete(ticket);
    const own = owned.get(known.principal);
    own?.delete(ticket);
    if (own?.size === 0) owned.delete(known.principal);
  }

  return {
    keep(ticket: string, binding: string, principal: string): void {
      const now = Date.now();
      forget(ticket);
      // The map is in order of expiry.
      for (const [oldest, { expires }] of pending) {
        if (expires >= now) break;
        forget(oldest);
      }
      for (const oldest of owned.get(principal) ?? []) {
        if ((owned.get(principal)?.size ?? 0) < MOST_PENDING) break;
        forget(oldest);
      }
      pending.set(ticket, { binding, expires: now + CONFIRM_MINUTES * 60_000, principal });
      owned.set(principal, (owned.get(principal) ?? new Set()).add(ticket));
    },
    /** Whether the ticket fits this call. Synchronous, so that of two concurrent calls only one gets it. */
    take(ticket: unknown, binding: string): boolean {
      const known = typeof ticket === 'string' ? pending.get(ticket) : undefined;
      if (known) forget(ticket as string);
      return known !== undefined && known.binding === binding && known.expires > Date.now();
    },
  };
}

/** Decides what needs confirmation and accepts it: from the user, or as the token of the first answer. */
export function createConfirmations() {
  const tokens = createTickets();
  /**
   * Request states from which confirmed calls continue. Kept apart from tokens, so that one cannot pass as the other.
   */
  const states = createTickets();

  function needs({ entry }: Callable, principal: Principal): boolean | 'human' {
    if (principal.confirm === 'never') return entry.confirm === 'human' ? 'human' : false;
    if (principal.confirm === 'writes' && entry.effect !== 'read') return entry.confirm || true;
    return entry.confirm ?? false;
  }

  async function ask(
    callable: Callable,
    params: CallParams,
    context: CallContext,
    need: boolean | 'human',
  ): Promise<CallParams> {
    const { token, args } = tokenIn(callable, params, context);
    const stripped = args === params.arguments ? params : { ...params, arguments: args };
    if (!need) return stripped;
    const binding = bindingOf(callable, args ?? {}, context.principal);
    if (states.take(params.requestState, binding)) return stripped;
    const isAsked = canElicit(context);
    if (!isAsked && need !== 'human' && tokens.take(token, binding)) return stripped;
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
    if (isAsked && tokens.take(token, binding)) return stripped;
    const fresh = randomUUID();
    tokens.keep(fresh, binding, context.principal.id);
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
      const need = needs(callable, context.principal);
      return need || callable.entry.declaresConfirm ? ask(callable, params, context, need) : params;
    },
    /** A confirmed call ended with a question: the request that answers it needs no second confirmation. */
    goesOn(callable: Callable, params: CallParams, context: CallContext, requestState: unknown): void {
      const { principal } = context;
      if (typeof requestState !== 'string' || !needs(callable, principal)) return;
      states.keep(requestState, bindingOf(callable, params.arguments ?? {}, principal), principal.id);
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

function canElicit(context: CallContext): boolean {
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
