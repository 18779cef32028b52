import type { Catalogue } from '../../catalogue.ts';
import { keywords } from '../keywords/keywords.ts';

/** What is compared with a question, and the nodes that it stands for. */
export interface Meant {
  readonly text: string;
  readonly nodes: readonly string[];
}

/** The model reads some sixty words and forgets the rest. */
const READ_CHARACTERS = 300;

/** Each of our phrases once, and what each node says of itself. Always in the same order. */
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
    // A single word is found by words.
    for (const phrase of texts.get(name) ?? []) if (phrase.includes(' ')) add(phrase, name);
  }
  return [...meant].map(([text, nodes]) => ({ text, nodes }));
}
