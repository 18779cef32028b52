import type { Finding } from './schema-problems.ts';
import { suggestName } from './source-name.ts';

/** A claim on the name of a source. */
export interface Claim {
  readonly name: string;
  /** For example `the server "files"`. */
  readonly owner: string;
  /** The path in the file; empty for our own sources, which always exist. */
  readonly path: readonly string[];
  /** Gives its name to a claim of the file, instead of clashing with it. */
  readonly yields?: true;
}

export const ownSource = (name: string): Claim => ({ name, owner: `Sluice's own "${name}" tools`, path: [] });

/** A source of ours that gives its name to a server of the file. `yielding` empties it while one has the name. */
export const yieldingSource = (name: string): Claim => ({ ...ownSource(name), yields: true });

/** Whether it claims the prefix of a server's tools, such as `mcpServers.files.prefix`, and not the server's name. */
export const isOfPrefix = ({ path }: Claim): boolean => path.length > 2;

/** Exposed names must stay unique after lower-casing and `_` -> `-`, so their prefixes must too. */
export function sameSource(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** The claim of the file that a source of ours gave its name to. */
export function takerOf(name: string, claims: readonly Claim[]): Claim | undefined {
  return claims.find((claim) => claim.path.length > 0 && sameSource(claim.name) === sameSource(name));
}

/** The claims whose name is already taken by an earlier claim. */
export function clashesIn(all: readonly Claim[]): Finding[] {
  const claims = all.filter(({ name, yields }) => !yields || !takerOf(name, all));
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
  const isPrefix = isOfPrefix(claim);
  const what = isPrefix ? `the prefix "${claim.name}" of ${claim.owner}` : claim.owner;
  const where = other.path.length > 0 ? ` (${other.path.join('.')})` : '';
  return {
    path: claim.path,
    message: `${what} and ${other.owner}${where} would have the same tool names`,
    fix: `Rename ${isPrefix ? 'the prefix' : 'the server'}, for example to "${freeName(claim.name, (name) => taken.has(name))}".`,
  };
}

/** A free name near the given one. `taken` gets names in the spelling of `sameSource`. */
export function freeName(given: string, taken: (name: string) => boolean): string {
  const base = suggestName(given);
  const candidates = [base, `${base.slice(0, 36)}-mcp`];
  for (const candidate of candidates) if (!taken(sameSource(candidate))) return candidate;
  for (let number = 2; ; number++) {
    const candidate = `${base.slice(0, 36)}-${number}`;
    if (!taken(sameSource(candidate))) return candidate;
  }
}
