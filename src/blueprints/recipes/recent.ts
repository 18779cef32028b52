import type { CallEnd, CallObserver } from '../../kernel/call.ts';
import type { Callable } from '../../kernel/callable.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { CallContext, CallParams, Json } from '../../kernel/source.ts';
import { boundedSize } from './bounded-size.ts';

export const MOST_CALLS = 50;
const MOST_CALLERS = 200;
const MOST_OF_CALL = 64 * 1024;
const MOST_OF_CALLER = 2 * 1024 * 1024;
/** All callers together could keep more than a small machine has. */
const MOST_OF_ALL = 64 * 1024 * 1024;
/** What a call costs besides its values. */
const FRAME = 300;

/** A call that was made. Its values are in memory only, and nobody but its caller gets them. */
export interface RecentCall {
  /** Counts the calls of its caller. */
  readonly number: number;
  readonly tool: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Why it failed. */
  readonly failed?: string;
  /** Absent if they were too large to keep. */
  readonly arguments?: Json;
  /** Arguments of a tool that is given secrets: only the type of each is known. */
  readonly withheld: readonly { readonly name: string; readonly type: string }[];
  /** The result as MCP has it, unless it was too large to keep. */
  readonly result?: Json;
}

type Kept = RecentCall & { readonly size: number };

interface Caller {
  readonly principal: string;
  /** Of its last call: a sign-in that is renewed goes on. */
  expires: number | undefined;
  calls: Kept[];
  made: number;
  size: number;
}

export interface RecentCalls {
  readonly observer: CallObserver;
  /** The calls of this caller, in this conversation where its client has a session. The oldest first. */
  of(context: Pick<CallContext, 'principal' | 'client'>): readonly RecentCall[];
  /** Forgets what callers did whose key or sign-in has ended. `isLive` is asked for the ids of principals with keys. */
  forgetEnded(isLive: () => Promise<(principal: string) => boolean>): Promise<void>;
  clear(): void;
  /** How much is kept. */
  usage(): { readonly callers: number; readonly calls: number; readonly size: number };
}

/**
 * Keeps the last calls of each caller. Every call pays for this, so it keeps references, and takes sizes from what is known
 * already. `isKept` says which tools count.
 */
export function createRecentCalls(isKept: (tool: string) => boolean, now = Date.now): RecentCalls {
  /** The one that was used last comes last. */
  const callers = new Map<string, Caller>();
  let total = 0;

  function callerOf({ principal, client }: Pick<CallContext, 'principal' | 'client'>): Caller {
    const key = keyOf(principal, client.session);
    const known = callers.get(key);
    const caller = known ?? { principal: principal.id, expires: undefined, calls: [], made: 0, size: 0 };
    caller.expires = principal.expires;
    if (known) callers.delete(key);
    callers.set(key, caller);
    return caller;
  }

  function forget(key: string): void {
    total -= callers.get(key)?.size ?? 0;
    callers.delete(key);
  }

  /** The oldest of whoever has most: somebody with thousands of sessions must not make others lose theirs. */
  function makeRoom(): void {
    while (callers.size > MOST_CALLERS || total > MOST_OF_ALL) {
      const isMany = callers.size > MOST_CALLERS;
      const had = new Map<string, number>();
      for (const { principal, size } of callers.values())
        had.set(principal, (had.get(principal) ?? 0) + (isMany ? 1 : size));
      const most = Math.max(...had.values());
      const oldest = [...callers].find(([, { principal }]) => had.get(principal) === most);
      if (!oldest) return;
      forget(oldest[0]);
    }
  }

  function keep(callable: Callable, params: CallParams, context: CallContext, { outcome, reason }: CallEnd): void {
    const caller = callerOf(context);
    const { name, entry } = callable;
    const { kept, withheld } = keptArguments(params.arguments ?? {}, entry.recorded);
    const given = sizeOfArguments(kept, context.bytes);
    const answer = reason === undefined && 'result' in outcome ? outcome : undefined;
    const answered = answer ? (answer.json?.length ?? boundedSize(answer.result, MOST_OF_CALL)) : 0;
    const hasArguments = given <= MOST_OF_CALL;
    const hasResult = answer !== undefined && hasArguments && given + answered <= MOST_OF_CALL;
    const size = FRAME + (hasArguments ? given : 0) + (hasResult ? answered : 0);
    caller.calls.push({
      number: ++caller.made,
      tool: name,
      at: now(),
      withheld,
      size,
      ...(reason !== undefined && { failed: reason }),
      ...(hasArguments && { arguments: kept }),
      ...(hasResult && { result: answer.result }),
    });
    caller.size += size;
    total += size;
    while (caller.calls.length > MOST_CALLS || caller.size > MOST_OF_CALLER) {
      const gone = caller.calls.shift()?.size ?? 0;
      caller.size -= gone;
      total -= gone;
    }
    if (callers.size > MOST_CALLERS || total > MOST_OF_ALL) makeRoom();
  }

  return {
    observer: {
      begins(callable, params, context) {
        // A run does what was confirmed before, and a status asks by itself: nobody said it in a conversation.
        if (context.confirmed === true || context.inner === true || !isKept(callable.name)) return undefined;
        return (end) => {
          if (isMade(end)) keep(callable, params, context, end);
        };
      },
    },
    of: ({ principal, client }) => callers.get(keyOf(principal, client.session))?.calls ?? [],
    async forgetEnded(isLive) {
      const keyed = [...callers].filter(([, { principal }]) => principal.startsWith('key:'));
      const live = keyed.length > 0 ? await isLive() : () => true;
      for (const [key, { principal }] of keyed) if (!live(principal)) forget(key);
      for (const [key, { expires }] of callers) if (expires !== undefined && expires <= now()) forget(key);
    },
    clear() {
      callers.clear();
      total = 0;
    },
    usage: () => ({
      callers: callers.size,
      calls: callers.values().reduce((sum, { calls }) => sum + calls.length, 0),
      size: total,
    }),
  };
}

const keyOf = ({ id }: Principal, session: string | undefined): string => `${session ?? ''}\n${id}`;

/** Not if it only asked for a confirmation or an answer: then the same call comes again. */
function isMade({ state, outcome }: CallEnd): boolean {
  if (state === 'unconfirmed') return false;
  return !('result' in outcome) || outcome.result.resultType !== 'input_required';
}

/** The size of the request is known for most calls. It is too large a number for calls of wrappers, which is no harm. */
function sizeOfArguments(given: Json, bytes: number | undefined): number {
  return bytes !== undefined && bytes <= MOST_OF_CALL / 2 ? bytes : boundedSize(given, MOST_OF_CALL);
}

function keptArguments(
  given: Json,
  recorded: readonly string[] | undefined,
): Pick<RecentCall, 'withheld'> & { kept: Json } {
  if (!recorded) return { kept: given, withheld: none };
  const entries = Object.entries(given);
  const isRecorded = ([name, value]: readonly [string, unknown]) =>
    recorded.includes(name) && typeof value !== 'object';
  return {
    kept: Object.fromEntries(entries.filter(isRecorded)),
    withheld: entries
      .filter((one) => !isRecorded(one) && one[0] !== 'confirm')
      .slice(0, MOST_WITHHELD)
      .map(([name, value]) => ({ name: name.slice(0, LONGEST_NAME), type: typeOf(value) })),
  };
}

const none: readonly never[] = [];
const MOST_WITHHELD = 50;
const LONGEST_NAME = 200;

/** The type in a JSON Schema. */
export const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
