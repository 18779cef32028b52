import { createHash, randomUUID } from 'node:crypto';
import type { Callable } from './callable.ts';
import { AppError, toAppError } from './errors.ts';
import type { Principal } from './principal.ts';
import type { CallContext, CallParams, Json } from './source.ts';

const CONFIRM_MINUTES = 10;
/** Of one principal: who asks again and again and never confirms fills no memory, and pushes out nobody else's. */
const MOST_PENDING = 1000;

/** Single-use: whatever becomes of it, what was taken is gone. */
function createTickets() {
  const pending = new Map<string, { binding: string; expires: number; principal: string }>();
  /** The same by principal. */
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
      // They stand in the order in which they expire.
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
    /** Whether it fits this call. Of two calls at once only one gets it: nothing is waited for in between. */
    take(ticket: unknown, binding: string): boolean {
      const known = typeof ticket === 'string' ? pending.get(ticket) : undefined;
      if (known) forget(ticket as string);
      return known !== undefined && known.binding === binding && known.expires > Date.now();
    },
  };
}

/** What has to be confirmed before it is done, and what was: by the user, or by a token that the first answer gave. */
export function createConfirmations() {
  const tokens = createTickets();
  /** The states that confirmed calls go on from. Kept apart: the one can never stand for the other. */
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
        `${callable.name} must be confirmed by a person, and this client cannot ask one. Nothing was done. Use a client that supports elicitation.`,
      );
    }
    if (isAsked && tokens.take(token, binding)) return stripped;
    const fresh = randomUUID();
    tokens.keep(fresh, binding, context.principal.id);
    const why = token === undefined ? '' : 'That token does not fit this call or was used before. ';
    throw new AppError(
      'confirmation_required',
      `${why}${callable.name} has to be confirmed. ${says === undefined ? '' : `${says} `}Nothing was done yet. Ask the user; if they agree, repeat exactly this call with "confirm": "${fresh}" within ${CONFIRM_MINUTES} minutes.`,
      { data: { confirm: fresh } },
    );
  }

  return {
    /** Returns the params to run with, or throws what the caller must do first. */
    pass(callable: Callable, params: CallParams, context: CallContext): CallParams | Promise<CallParams> {
      const need = needs(callable, context.principal);
      return need || callable.entry.declaresConfirm ? ask(callable, params, context, need) : params;
    },
    /** A confirmed call ended with a question of its own: the one request that answers it needs no second confirmation. */
    goesOn(callable: Callable, params: CallParams, context: CallContext, requestState: unknown): void {
      const { principal } = context;
      if (typeof requestState !== 'string' || !needs(callable, principal)) return;
      states.keep(requestState, bindingOf(callable, params.arguments ?? {}, principal), principal.id);
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
