import type { ErrorCode } from '../../kernel/errors.ts';
import type { CallContext } from '../../kernel/source.ts';
import { defaultChecks } from '../checks/default-checks.ts';
import { ownCheckSeen } from '../checks/own-check.ts';
import type { Item } from '../project.ts';
import { aFewAtATime } from './a-few-at-a-time.ts';
import { type Answer, type Ask, asking, type CheckGateway } from './asking.ts';
import type { Seen } from './seen.ts';

const AT_ONCE = 8;
const ITEM_MS = 10_000;
/** Clients give up after a minute, so the rest is not asked. */
const ALL_MS = 50_000;

export interface Patience {
  readonly itemMs: number;
  readonly allMs: number;
}

const usual: Patience = { itemMs: ITEM_MS, allMs: ALL_MS };

/** How each item is doing, in their order. Asks as the caller, so that he sees what he may see. */
export async function statusOf(
  items: readonly Item[],
  gateway: CheckGateway,
  context: CallContext,
  done: (count: number) => void = () => {},
  { itemMs, allMs }: Patience = usual,
): Promise<Seen[]> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), allMs);
  let count = 0;
  try {
    return await aFewAtATime(AT_ONCE, items, async (item) => {
      context.signal.throwIfAborted();
      const seen = deadline.signal.aborted
        ? notAsked
        : await within(itemMs, deadline.signal, context.signal, async (signal) =>
            seenOf(item, asking(gateway, context, signal)),
          );
      done(++count);
      return seen ?? late;
    });
  } finally {
    clearTimeout(timer);
  }
}

async function seenOf(item: Item, ask: Ask): Promise<Seen> {
  const { check } = item;
  if (check) {
    const answer = await ask(check.tool, check.arguments);
    if (answer.kind === 'data') return ownCheckSeen(answer.data, answer.text);
    if (answer.kind !== 'absent') return notAnswered(check.tool, answer);
    return {
      state: 'unknown',
      seen: `${check.tool} does not exist`,
      next: 'Connect the server or module that has it, or give the item another check.',
    };
  }
  const usualCheck = defaultChecks.get(item.kind);
  if (!usualCheck) return shownOnly(item);
  const tool = usualCheck.tool(item);
  const first = await ask(tool, usualCheck.arguments(item));
  const isMissing = first.kind === 'error' && first.code === 'not_found';
  const other = isMissing ? usualCheck.otherwise?.(item) : undefined;
  const answer = other ? await ask(other.tool, other.arguments) : first;
  if (answer.kind === 'absent') return { state: 'unknown', ...usualCheck.absent(item) };
  if (answer.kind !== 'data') return notAnswered(tool, answer);
  return (
    (await usualCheck.read(answer.data, item, ask)) ?? {
      state: 'unknown',
      seen: `${tool} gave an answer of another kind`,
      next: 'Give the item a check of its own.',
    }
  );
}

function shownOnly({ kind }: Item): Seen {
  if (kind === 'note') return { state: 'ok', seen: 'a note' };
  const seen = kind === 'url' ? 'only shown: Sluice makes no request' : 'only shown: it has no check';
  return { state: 'unknown', seen, isOnlyShown: true };
}

/** What says something about the item. Other failures are about the question. */
const failing: ReadonlySet<ErrorCode | undefined> = new Set(['not_found', 'unavailable', undefined] as const);

function notAnswered(tool: string, answer: Exclude<Answer, { kind: 'data' | 'absent' }>): Seen {
  if (answer.kind === 'forbidden')
    return { state: 'unknown', seen: `this key may not call ${tool}`, next: 'Ask the owner for a key that may.' };
  return { state: failing.has(answer.code) ? 'failing' : 'unknown', seen: answer.message };
}

const late: Seen = { state: 'unknown', seen: 'no answer in time', next: 'Ask again.' };
const notAsked: Seen = {
  state: 'unknown',
  seen: 'not asked: the others took too long',
  next: 'Ask again, or split the project.',
};

/** Undefined if it takes longer, whether or not the work heeds its signal. Rejects if the caller gives up. */
async function within<T>(
  ms: number,
  deadline: AbortSignal,
  caller: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const mine = new AbortController();
  const { promise: over, resolve, reject } = Promise.withResolvers<undefined>();
  const isLate = () => {
    resolve(undefined);
    mine.abort(new DOMException('The check took too long', 'TimeoutError'));
  };
  const giveUp = () => {
    reject(caller.reason as Error);
    mine.abort(caller.reason);
  };
  const timer = setTimeout(isLate, ms);
  deadline.addEventListener('abort', isLate, { once: true });
  caller.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work(mine.signal), over]);
  } finally {
    clearTimeout(timer);
    deadline.removeEventListener('abort', isLate);
    caller.removeEventListener('abort', giveUp);
  }
}
