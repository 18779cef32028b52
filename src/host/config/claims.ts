import type { Finding } from './schema-problems.ts';
import { suggestName } from './source-name.ts';

/** Somebody's wish for the name of a source. */
export interface Claim {
  readonly name: string;
  /** Such as `the server "files"`. */
  readonly owner: string;
  /** Where the file says so; empty for our own sources, which are there whatever the file says. */
  readonly path: readonly string[];
}

export const ownSource = (name: string): Claim => ({ name, owner: `Sluice's own "${name}" tools`, path: [] });

/** Exposed names must stay unique after lower-casing and `_` -> `-`, and so must what precedes them. */
export function sameSource(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** The claims that somebody before in the list has made already. */
export function clashesIn(claims: readonly Claim[]): Finding[] {
  const taken = new Map<string, Claim>();
  const findings: Finding[] = [];
  for (const claim of claims) {
    const other = taken.get(sameSource(claim.name));
    if (!other) taken.set(sameSource(claim.name), claim);
    else if (other.owner !== claim.owner) findings.push(clash(claim, other, taken));
  }
  return findings;
}

function clash(claim: Claim, other: Claim, taken: ReadonlyMap<string, Claim>): Finding {
  const isPrefix = claim.path.at(-1) === 'prefix';
  const what = isPrefix ? `the prefix "${claim.name}" of ${claim.owner}` : claim.owner;
  const where = other.path.length > 0 ? ` (${other.path.join('.')})` : '';
  return {
    path: claim.path,
    message: `${what} and ${other.owner}${where} would share the names of their tools`,
    fix: `Rename ${isPrefix ? 'the prefix' : 'the server'}, for example to "${freeName(claim.name, (name) => taken.has(name))}".`,
  };
}

/** A name near the given one that nobody has; `taken` is asked in the spelling of `sameSource`. */
export function freeName(given: string, taken: (name: string) => boolean): string {
  const base = suggestName(given);
  const candidates = [base, `${base.slice(0, 36)}-mcp`];
  for (const candidate of candidates) if (!taken(sameSource(candidate))) return candidate;
  for (let number = 2; ; number++) {
    const candidate = `${base.slice(0, 36)}-${number}`;
    if (!taken(sameSource(candidate))) return candidate;
  }
}
