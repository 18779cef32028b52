import type { Effect } from '../../src/kernel/effect.ts';
import type { EventLog } from '../../src/kernel/events.ts';
import type { Fact } from '../../src/kernel/facts.ts';
import type { Entry, ToolSource } from '../../src/kernel/source.ts';
import { createRegistry, isListed, type Registered } from '../../src/gateway/registry.ts';
import { ownWishes } from './own.ts';
import { strangers, strangersWishes } from './strangers.ts';

export interface Wish {
  readonly wish: string;
  readonly tool: string;
  /** Other tools that are right too. */
  readonly also?: readonly string[];
}

/** One half of the wishes: the 1st, 3rd, 5th … of each tool for tuning, the rest for checking. */
export function wishesFor(
  half: 'tuning' | 'checking',
  ...lists: readonly Readonly<Record<string, readonly string[]>>[]
): Wish[] {
  const rest = half === 'tuning' ? 0 : 1;
  return (lists.length > 0 ? lists : [ownWishes, strangersWishes])
    .flatMap((list) => Object.entries(list))
    .flatMap(([tool, wishes]) => wishes.filter((_, at) => at % 2 === rest).map((wish) => ({ wish, tool })));
}

/** By server and tool: the description and the parameter names. */
type Servers = Readonly<Record<string, Readonly<Record<string, readonly [string, string]>>>>;

const silent: EventLog<Fact> = { record() {} };

/** Our own listed tools and those of other servers, under the names that clients see. */
export function toolsBeside(own: readonly ToolSource[], servers: Servers = strangers): readonly Registered[] {
  const registry = createRegistry(silent);
  registry.set([...own, ...Object.entries(servers).map(([id, tools]) => sourceOf(id, tools))]);
  return registry.all().filter(isListed);
}

function sourceOf(id: string, tools: Readonly<Record<string, readonly [string, string]>>): ToolSource {
  const entries = Object.entries(tools).map(([tool, [description, parameters]]): Entry => {
    const properties = Object.fromEntries(parameters.split(' ').map((name) => [name, { type: 'string' }]));
    return {
      tool,
      wire: { name: tool, description, inputSchema: { type: 'object', properties } },
      // The default for a server without annotations.
      effect: 'execute' satisfies Effect,
      scope: `${id}:execute`,
      call: () => Promise.reject(new Error('Nobody calls it.')),
    };
  });
  return { id, prefix: id, exposure: 'flat', entries: () => entries, onChange: () => () => {} };
}

/** The percentage of wishes that find their tool first and among the first three, and the wishes that miss. */
export async function standing(wishes: readonly Wish[], find: (wish: string) => Promise<readonly Registered[]>) {
  let first = 0;
  let three = 0;
  const missed: string[] = [];
  for (const { wish, tool, also = [] } of wishes) {
    const names = (await find(wish)).slice(0, 3).map(({ name }) => name);
    const right = names.map((name) => name === tool || also.includes(name));
    if (right[0]) first++;
    if (right.includes(true)) three++;
    else missed.push(`${wish} -> ${tool}, found ${names.join(', ')}`);
  }
  const percent = (count: number) => Math.round((1000 * count) / wishes.length) / 10;
  return { first: percent(first), three: percent(three), missed };
}
