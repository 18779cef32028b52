import type { Catalogue } from '../../nodes/catalogue.ts';
import type { Node } from '../client/shapes.ts';
import { line } from './text.ts';

const MOST = 20;
const LONGEST = 60;

/** Types of credentials that these nodes name, or that their types require. */
export function credentialsIn(nodes: readonly Node[], catalogue: Catalogue | undefined): string[] {
  const types = new Set<string>();
  for (const { type, typeVersion, credentials, disabled } of nodes) {
    if (disabled) continue;
    const named = Object.keys(credentials ?? {});
    for (const name of named) types.add(line(name, LONGEST));
    if (named.length > 0 || !catalogue) continue;
    // Authors remove their credentials before they publish. A type that always needs the same one still tells it.
    const needed = catalogue.description(type, typeVersion)?.credentials ?? [];
    const always = needed.filter((one) => one.required === true && one.displayOptions === undefined);
    for (const { name } of always) types.add(name);
  }
  return [...types].slice(0, MOST).sort();
}
