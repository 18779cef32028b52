import { createHash, hash, randomUUID } from 'node:crypto';
import type { Callable } from './callable.ts';
import { AppError, toAppError } from './errors.ts';
import type { Principal } from './principal.ts';
import type { Shared } from './shared.ts';
import type { CallContext, CallParams, Json } from './source.ts';

const CONFIRM_MINUTES = 10;
export const CONFIRM_MS = CONFIRM_MINUTES * 60_000;

type Keeping = Pick<Shared, 'keep' | 'take'>;

/** A call that waits for its confirmation. */
export interface Unconfirmed {
  /** Made of its token, which cannot be found out from it. */
  readonly id: string;
  readonly callable: Callable;
  readonly arguments: Json;
  /** What the call would do. */
  readonly says: string | undefined;
  /** `human`: only a person may confirm it. */
  readonly need: true | 'human';
  /** The same text for the same call of the same caller. */
  readonly binding: string;
  /** Milliseconds since 1970. */
  readonly expires: number;
}

/** What became of a call that waits. */
export interface Verdict {
  readonly need: true | 'human';
  readonly binding: string;
  readonly decided: 'approved' | 'refused' | undefined;
  readonly note?: string;
}

/** Where people see the calls that wait, and decide. */
export interface ConfirmationDesk {
  /** Where that is, for a sentence; undefined if nobody can look at it. */
  place(): string | undefined;
  show(call: Unconfirmed, context: CallContext): Promise<void>;
  verdict(id: string): Promise<Verdict | undefined>;
  /** The call was made, or its token is gone. */
  remove(id: string): Promise<void>;
}

/** The name under which a token of an ordinary confirmation is kept, by the id of the call that waits: taking it voids it. */
export const keptAs = (id: string): string => `confirm ${id}`;

/** Single-use tickets of one kind. A ticket is gone once it was taken, whether or not it fits. */
function createTickets({ keep, take }: Keeping, kind: string) {
  // Hashed: request states may be long, and whoever reads the store must not find a usable token.
  const keyOf = (ticket: string) => `${kind} ${idOf(ticket)}`;
  return {
    keep: (ticket: string, binding: string, principal: string) => keep(keyOf(ticket), binding, CONFIRM_MS, principal),
    /** Whether the ticket fits this call. Of two concurrent calls, on any replica, only one gets it. */
    async take(ticket: unknown, binding: string): Promise<boolean> {
      if (typeof ticket !== 'string') return false;
      const taken = take(keyOf(ticket));
      return (taken instanceof Promise ? await taken : taken) === binding;
    },
  };
}

const idOf = (ticket: string): string => hash('sha256', ticket, 'base64url');

/** Whether this principal has to confirm calls of this tool; `human`: a person has to do it. */
export function needsConfirmation({ entry }: Callable, principal: Principal): boolean | 'human' {
  if (principal.confirm === 'never') return entry.confirm === 'human' ? 'human' : false;
  if (principal.confirm === 'writes' && entry.effect !== 'read') return entry.confirm || true;
  return entry.confirm ?? false;
}

/** Decides what needs confirmation and accepts it: from the user, as the token of the first answer, or from a desk. */
export function createConfirmations(shared: Keeping, desk?: ConfirmationDesk) {
  const tokens = createTickets(shared, 'confirm');
  /** Tokens that count only after a person approved the call. Kept apart from those that a model may confirm itself. */
  const approvals = createTickets(shared, 'approve');
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
    // A page could answer its own question.
    const isAsked = canElicit(context) && !(need === 'human' && context.principal.isForeignPage);
    const verdict = need === 'human' ? await verdictOn(token, binding, callable) : undefined;
    if (verdict?.decided === 'approved' && (await approvals.take(token, binding))) {
      await remove(token);
      return stripped;
    }
    if (!isAsked && need !== 'human' && (await confirms(token, binding, callable))) return stripped;
    const preview = await callable.entry.preview?.(stripped, context);
    if (preview?.changes === false) return stripped;
    const says = preview?.says;
    if (isAsked && (await isAllowed(callable, says, need, context))) return stripped;
    if (isAsked && need !== 'human' && (await confirms(token, binding, callable))) return stripped;
    const place = desk?.place();
    if (need === 'human' && place === undefined) {
      throw new AppError(
        'confirmation_required',
        `${callable.name} must be confirmed by a person, but this client cannot ask one. Nothing was done. Use a client that supports elicitation.`,
      );
    }
    if (verdict && verdict.decided === undefined) throw stillWaits(callable, token as string, place);
    const fresh = randomUUID();
    await (need === 'human' ? approvals : tokens).keep(fresh, binding, context.principal.id);
    const call = { id: idOf(fresh), callable, arguments: args ?? {}, says, need, binding, expires: expiry() };
    const shown = desk?.show(call, context);
    // The user of the client can still confirm an ordinary call that no page shows.
    await (need === 'human' ? shown : shown?.catch(() => {}));
    const why = token === undefined ? '' : 'That token is not valid for this call or was already used. ';
    const what = says === undefined ? '' : `${says} `;
    const next =
      need === 'human'
        ? `${callable.name} must be approved by a person. ${what}Nothing was done yet. Ask the user to approve it ${place}. Once they have, repeat exactly this call with "confirm": "${fresh}" within ${CONFIRM_MINUTES} minutes.`
        : `${callable.name} needs confirmation. ${what}Nothing was done yet. Ask the user; if they agree, repeat exactly this call with "confirm": "${fresh}" within ${CONFIRM_MINUTES} minutes.`;
    throw new AppError('confirmation_required', `${why}${next}`, {
      data: { confirm: fresh, ...(desk && { waits: call.id }), ...(need === 'human' && { by: 'person' }) },
    });
  }

  /** What people decided about this call; throws if they refused it. */
  async function verdictOn(token: unknown, binding: string, { name }: Callable): Promise<Verdict | undefined> {
    const verdict = typeof token === 'string' ? await desk?.verdict(idOf(token)) : undefined;
    if (verdict?.binding !== binding) return undefined;
    if (verdict.decided === 'refused') throw refused(name, verdict.note);
    return verdict.need === 'human' ? verdict : undefined;
  }

  async function confirms(token: unknown, binding: string, { name }: Callable): Promise<boolean> {
    const fits = await tokens.take(token, binding);
    if (!desk || typeof token !== 'string') return fits;
    // If the desk does not answer, the token is just not valid any more.
    const verdict = fits ? undefined : await desk.verdict(idOf(token)).catch(() => {});
    if (verdict?.decided === 'refused') {
      if (verdict.binding === binding) throw refused(name, verdict.note);
    } else if (fits || verdict?.need === true) await remove(token);
    return fits;
  }

  /** The call no longer waits: its token is gone. That it is still listed for a while does no harm. */
  async function remove(token: unknown): Promise<void> {
    if (typeof token === 'string') await desk?.remove(idOf(token)).catch(() => {});
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

const expiry = (): number => Date.now() + CONFIRM_MS;

function stillWaits({ name }: Callable, token: string, place: string | undefined): AppError {
  return new AppError(
    'confirmation_required',
    `${name} still waits for a person to approve it ${place}. Nothing was done yet. Once they have, repeat exactly this call with the same "confirm".`,
    { data: { confirm: token, waits: idOf(token), by: 'person' } },
  );
}

const refused = (name: string, note: string | undefined): AppError =>
  new AppError(
    'forbidden',
    `A person refused ${name}${note ? `: ${note.replace(/[.\s]*$/, '.')}` : '.'} Nothing was done.`,
  );

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
