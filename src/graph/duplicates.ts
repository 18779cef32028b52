import { setImmediate } from 'node:timers/promises';
import type { Head } from './engine.ts';

export interface Duplicates {
  readonly why: 'same name' | 'similar name';
  readonly entities: Head[];
}

/** Names that differ by a letter are a typo only if they are long enough. */
const SHORTEST = 5;
const LONGEST = 60;
/** More names than that differ by a letter because somebody numbers with letters. */
const LARGEST_GROUP = 10;
/** Comparing goes on after others had their turn. */
const AT_ONCE = 500;

/** The letters and digits of a name, without accents: `Müller, A.` and `a muller` are the same. */
const bare = (name: string): string =>
  name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '') || name;

/** Entities with the same name in another spelling, or with names that differ by one letter but not in their digits. */
export async function duplicatesAmong(heads: readonly Head[]): Promise<Duplicates[]> {
  const bySpelling = Map.groupBy(heads, ({ name }) => bare(name));
  const same = [...bySpelling.values()]
    .filter((group) => group.length > 1)
    .map((entities) => ({ why: 'same name' as const, entities }));
  const near = (await similarNames([...bySpelling.keys()])).map((spellings) => ({
    why: 'similar name' as const,
    entities: spellings.flatMap((spelling) => bySpelling.get(spelling) ?? []),
  }));
  return [...same, ...near];
}

/** Two texts that become the same when each loses at most one letter differ by one letter, or by two that are swapped. */
async function similarNames(spellings: readonly string[]): Promise<string[][]> {
  const byRest = new Map<string, string>();
  const leaders = new Map<string, string>();
  const leaderOf = (spelling: string): string => {
    let leader = spelling;
    for (let above = leaders.get(leader); above !== undefined; above = leaders.get(leader)) leader = above;
    if (leader !== spelling) leaders.set(spelling, leader);
    return leader;
  };
  for (const [at, spelling] of spellings.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await setImmediate();
    if (spelling.length < SHORTEST || spelling.length > LONGEST) continue;
    const letters = Array.from(spelling);
    const rests = [spelling, ...letters.map((_, index) => letters.toSpliced(index, 1).join(''))];
    const digits = spelling.replaceAll(/\P{N}/gu, '');
    for (const rest of new Set(rests)) {
      // Server 1 and Server 2 are not a typo.
      const key = `${digits} ${rest}`;
      const other = byRest.get(key);
      if (other === undefined) byRest.set(key, spelling);
      else if (leaderOf(other) !== leaderOf(spelling)) leaders.set(leaderOf(spelling), leaderOf(other));
    }
  }
  const groups = Map.groupBy(spellings, leaderOf);
  return [...groups.values()].filter(({ length }) => length > 1 && length <= LARGEST_GROUP);
}
