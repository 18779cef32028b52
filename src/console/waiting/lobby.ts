import type { Everyone } from '../../host/part.ts';
import type { Decision, Person, Waiting } from '../../host/waiting.ts';
import { AppError } from '../../kernel/errors.ts';
import { identityOf, permissionsOf, type Principal } from '../../kernel/principal.ts';

type Items = readonly Waiting[];

interface Answer {
  readonly items: readonly (Waiting & { readonly part: string })[];
  readonly missing: readonly { readonly part: string; readonly reason: string }[];
}

export type Lobby = ReturnType<typeof createLobby>;

const PATIENCE_MS = 2000;
const MOST_OF_ONE = 200;

/** All waiting rooms. One that fails or takes long hides no other. */
export function createLobby(rooms: Everyone['waiting'], patience = PATIENCE_MS) {
  /** Questions that a room has not answered yet: every open console asks every few seconds, and a room may be slow. */
  const open = new Map<string, Promise<Items>>();

  function ask(part: string, caller: string, principal: Principal, person: Person): Promise<Items> {
    const key = `${part} ${caller}`;
    const known = open.get(key);
    if (known) return known;
    const asking = (async () => (await rooms().get(part)?.list(principal, person)) ?? [])();
    open.set(key, asking);
    const end = () => {
      if (open.get(key) === asking) open.delete(key);
    };
    asking.then(end, end);
    return asking;
  }

  return {
    async list(principal: Principal, person: Person): Promise<Answer> {
      const caller = `${person ?? 'program'} ${identityOf(principal)} ${permissionsOf(principal)}`;
      const parts = [...rooms().keys()];
      const answers = await Promise.all(
        parts.map((part) => within(patience, ask(part, caller, principal, person)).catch(() => 'It failed.')),
      );
      const items = answers.flatMap((answer, index) => {
        const part = parts[index] as string;
        return typeof answer === 'string' ? [] : answer.slice(0, MOST_OF_ONE).map((one) => ({ ...one, part }));
      });
      const missing = answers.flatMap((answer, index) =>
        typeof answer === 'string' ? [{ part: parts[index] as string, reason: answer }] : [],
      );
      return { items: items.sort(byUrgency), missing };
    },
    async decide(part: string, id: string, decision: Decision, principal: Principal, person: Person): Promise<string> {
      const room = rooms().get(part);
      if (!room?.decide) throw new AppError('not_found', 'Nothing of this name waits for a decision.');
      try {
        return await room.decide(id, decision, principal, person);
      } finally {
        // An answer from before the decision is old.
        open.clear();
      }
    },
  };
}

/** What comes to an end soonest; then what waits longest. */
function byUrgency(one: Waiting, other: Waiting): number {
  return compare(one.expires, other.expires) || compare(one.since, other.since);
}

/** ISO times; those that are missing come last. */
function compare(one: string | undefined, other: string | undefined): number {
  if (one === other) return 0;
  if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
  return one < other ? -1 : 1;
}

async function within(ms: number, asked: Promise<Items>): Promise<Items | 'It takes too long.'> {
  const late = Promise.withResolvers<'It takes too long.'>();
  const timer = setTimeout(late.resolve, ms, 'It takes too long.');
  try {
    return await Promise.race([asked, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
