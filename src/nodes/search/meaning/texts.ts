import type { Catalogue } from '../../catalogue.ts';
import { keywords } from '../keywords/keywords.ts';

/** A text to compare with the question, and the nodes it describes. */
export interface Meant {
  readonly text: string;
  readonly nodes: readonly string[];
}

/** The model reads about sixty words and ignores the rest. */
const READ_CHARACTERS = 300;

/** Each of our phrases once, and each node's title and description. The order is stable. */
export function meantBy(catalogue: Catalogue): Meant[] {
  const meant = new Map<string, string[]>();
  const add = (text: string, node: string) => {
    const known = meant.get(text);
    if (known) known.push(node);
    else meant.set(text, [node]);
  };
  const { texts } = keywords();
  for (const { name, title, description, toolOf } of catalogue.nodes()) {
    if (toolOf !== undefined) continue;
    add(`${title}: ${description}`.slice(0, READ_CHARACTERS), name);
    // Single words are left to the word search.
    for (const phrase of texts.get(name) ?? []) if (phrase.includes(' ')) add(phrase, name);
  }
  return [...meant].map(([text, nodes]) => ({ text, nodes }));
}
