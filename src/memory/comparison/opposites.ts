import { termsOf } from '../../kernel/terms.ts';

/** What is one of the two is not the other. */
const pairs = `enabled disabled
enable disable
on off
online offline
open closed
opens closes
public private
active inactive
allowed forbidden
allowed denied
allows denies
permitted forbidden
accepted rejected
accepts rejects
included excluded
includes excludes
required optional
mandatory optional
mandatory voluntary
encrypted unencrypted
encrypted plaintext
locked unlocked
moved stays
moves stays
left stays
added removed
installed uninstalled
kept deleted
keeps deletes
started stopped
running stopped
starts stops
working broken
works fails
succeeds fails
always never
everything nothing
everybody nobody
everyone nobody
true false
valid invalid
likes dislikes
likes hates
loves hates
increased decreased
increases decreases
rises falls
full empty
paid unpaid
free paid
approved rejected
approved declined
confirmed cancelled
planned cancelled
available unavailable
supported unsupported
deprecated supported
manual automatic
manually automatically
synchronous asynchronous
visible hidden
read-only writable
temporary permanent
internal external
first last
before after
above below
left right
hot cold
dark light
vegetarian carnivore
married divorced
married single
alive dead
safe unsafe
safe dangerous`;

const opposites = new Map<string, Set<string>>();
for (const line of pairs.split('\n')) {
  const [one = '', other = ''] = line.split(' ').map((word) => termsOf(word).at(-1) ?? word);
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const)
    opposites.set(from, (opposites.get(from) ?? new Set()).add(to));
}

/** A term that only the first has, and its opposite that only the second has. */
export function oppositeIn(
  one: ReadonlySet<string>,
  other: ReadonlySet<string>,
): readonly [string, string] | undefined {
  for (const term of one) {
    if (other.has(term)) continue;
    for (const opposite of opposites.get(term) ?? [])
      if (other.has(opposite) && !one.has(opposite)) return [term, opposite];
  }
  return undefined;
}
