import { AppError, messageOf, toAppError } from '../../kernel/errors.ts';
import { HttpError } from '../http.ts';
import { untilAllowed } from '../rate-limited.ts';
import { type Completion, emptyCompletion, readStream, readWhole } from './completion.ts';
import type { OpenRouter } from './connection.ts';
import { costsNothing } from './costs-nothing.ts';
import { CHAT, explained, waitOf } from './explain.ts';
import { type Cost, costOf } from './price.ts';
import type { Request } from './request.ts';

export interface Paid {
  readonly completion: Completion;
  /** `at most`: nobody knows, and what was set aside stays spent. */
  readonly cost: Cost | { readonly dollars: number; readonly source: 'at most' };
  /** Why the answer is not whole. */
  readonly warning?: string;
}

export interface Waiting {
  /** Aborted if the caller gives up. */
  readonly signal: AbortSignal;
  /** Aborted shortly before the time for the call is over, so that what has arrived can still be returned. */
  readonly deadline: AbortSignal;
  step(message: string): void;
}

/** How often the caller hears how far it is, in characters. */
const EVERY = 400;
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Sends a chat after its price is set aside, and settles what it did cost. What has arrived of an answer that breaks off
 * was paid for, and is returned.
 */
export async function paidChat(openrouter: OpenRouter, request: Request, waiting: Waiting): Promise<Paid> {
  const { signal, deadline, step } = waiting;
  const stop = AbortSignal.any([signal, deadline]);
  if (signal.aborted) throw toAppError(signal.reason);
  if (deadline.aborted) throw tookTooLong(openrouter);
  const reserved = await openrouter.budget.reserve(request.most);
  const completion = emptyCompletion();
  /** Whether a request is on its way that may cost something. */
  let isOut = false;
  let failed: { readonly error: unknown } | undefined;

  async function send(): Promise<void> {
    isOut = true;
    try {
      await receive(openrouter, request, completion, { ...waiting, signal: stop });
    } catch (error) {
      if (costsNothing(error)) isOut = false;
      throw error;
    }
  }

  try {
    const progress = (_progress: number, _total?: number, message = '') => step(message);
    await untilAllowed(send, {
      at: openrouter.at,
      signal: stop,
      progress,
      // One that may have cost something is not sent again: only one was set aside.
      waitOf: (error) => (costsNothing(error) ? waitOf(error) : undefined),
    });
  } catch (error) {
    failed = { error };
  }

  const cost = costNow();
  // If the store is away now, what was set aside stays spent. The answer is there all the same.
  if (cost.source !== 'at most') await reserved.settle(cost.dollars).catch(() => {});
  if (signal.aborted) throw toAppError(signal.reason);
  const reason = reasonNow();
  if (reason === undefined) return { completion, cost };
  if (completion.text !== '') return { completion, cost, warning: `The answer is not whole: ${reason.message}` };
  throw cost.source === 'at most' && cost.dollars > 0 ? withCost(reason, cost.dollars) : reason;

  function costNow(): Paid['cost'] {
    if (!isOut) return { dollars: 0, source: 'reported' };
    // Some servers count along: before its end, a chat may cost more than they say.
    const hasEnded = completion.isWhole || completion.finish !== undefined || completion.failure !== undefined;
    const known = hasEnded ? costOf(completion.usage, request.prices) : undefined;
    if (known) return known;
    // OpenRouter charges nothing for an answer that failed before it began.
    if (completion.failure && completion.text === '') return { dollars: 0, source: 'reported' };
    return { dollars: request.most, source: 'at most' };
  }

  /** Why there is no whole answer. */
  function reasonNow(): AppError | undefined {
    const { failure } = completion;
    const { at, setting } = openrouter;
    const status = Number(failure?.code) || 502;
    if (failure) return new AppError(...explained(status, failure, { at, setting, path: CHAT }));
    if (deadline.aborted && !completion.isWhole) return tookTooLong(openrouter);
    if (failed?.error instanceof HttpError) return openrouter.explain(failed.error, CHAT);
    if (failed?.error instanceof AppError) return failed.error;
    if (failed && (completion.text !== '' || isOut))
      return new AppError('unavailable', `${at} broke the connection: ${messageOf(failed.error)}.`, {
        cause: failed.error,
      });
    // A connection that could not be made is explained by the part.
    if (failed) throw failed.error;
    if (completion.isWhole || completion.finish !== undefined) return undefined;
    return new AppError('unavailable', `${at} ended the answer too early.`);
  }
}

const tookTooLong = ({ at, setting, timeoutMs }: OpenRouter): AppError =>
  new AppError(
    'timeout',
    `${at} took longer than ${timeoutMs / 1000} s, and the chat was stopped. Ask for fewer max_tokens, or raise ${setting}.timeout.`,
    { saysWhen: true },
  );

function withCost(error: AppError, dollars: number): AppError {
  const { code, message, saysWhen } = error;
  return new AppError(
    code,
    `${message} Nobody knows what it did cost: $${dollars.toFixed(6)} stay spent in the budget.`,
    { cause: error, ...(saysWhen && { saysWhen: true }) },
  );
}

async function receive(
  openrouter: OpenRouter,
  { body }: Request,
  completion: Completion,
  { signal, step }: Pick<Waiting, 'signal' | 'step'>,
): Promise<void> {
  const { headers, body: pieces } = await openrouter.chat(body, signal);
  const id = headers['x-generation-id'];
  if (typeof id === 'string' && id !== '') completion.id = id;
  if (/event-stream/i.test(headers['content-type'] ?? '')) {
    let told = -EVERY;
    await readStream(pieces, completion, ({ length }) => {
      if (length - told < EVERY) return;
      told = length;
      step(length === 0 ? 'The model has begun.' : `${length} characters so far.`);
    });
    return;
  }
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const piece of pieces) {
    size += piece.length;
    if (size > MOST_BYTES) throw new AppError('too_large', `${openrouter.at} answered with more than 16 MB.`);
    chunks.push(piece);
  }
  readWhole(Buffer.concat(chunks).toString('utf8'), completion);
}
