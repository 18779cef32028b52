import { stemOf, rawWordsOf } from '../words.ts';
import { fillers } from '../fillers.ts';
import { ai } from './ai.ts';
import { apps } from './apps.ts';
import { data } from './data.ts';
import { flow } from './flow.ts';
import { requests } from './requests.ts';

/** A phrase people use, and the nodes they mean. */
export interface Phrase {
  /** Stems, without fillers. */
  readonly words: readonly string[];
  /** Likeliest first. */
  readonly nodes: readonly string[];
}

export interface Keywords {
  readonly phrases: readonly Phrase[];
  /** Indexes of the phrases with this stem. */
  readonly byWord: ReadonlyMap<string, readonly number[]>;
  /** How many nodes have a phrase with this stem. */
  readonly nodesBy: ReadonlyMap<string, number>;
  /** The phrases of each node as written, for the search by meaning. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
}

let read: WeakRef<Keywords> | undefined;

/** Parsed on the first search, and garbage-collected with the last catalogue that was searched. */
export function keywords(): Keywords {
  let known = read?.deref();
  if (!known) read = new WeakRef((known = readKeywords([flow, data, ai, apps, requests].join('\n'))));
  return known;
}

function readKeywords(text: string): Keywords {
  const phrases = new Map<string, { words: string[]; nodes: string[] }>();
  const texts = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const at = line.indexOf(': ');
    if (at < 0) continue;
    const nodes = line.slice(0, at).split(', ').map(wholeName);
    for (const phrase of line.slice(at + 2).split(' | ')) {
      for (const node of nodes) texts.set(node, [...(texts.get(node) ?? []), phrase]);
      const words = [...new Set(phraseWords(phrase))];
      const key = words.toSorted().join(' ');
      const known = phrases.get(key);
      if (known) known.nodes.push(...nodes.filter((node) => !known.nodes.includes(node)));
      else phrases.set(key, { words, nodes: [...nodes] });
    }
  }
  const all = [...phrases.values()];
  const byWord = new Map<string, number[]>();
  const nodesBy = new Map<string, Set<string>>();
  for (const [index, { words, nodes }] of all.entries()) {
    for (const word of words) {
      byWord.set(word, [...(byWord.get(word) ?? []), index]);
      nodesBy.set(word, new Set([...(nodesBy.get(word) ?? []), ...nodes]));
    }
  }
  return { phrases: all, byWord, nodesBy: new Map([...nodesBy].map(([word, { size }]) => [word, size])), texts };
}

function phraseWords(phrase: string): string[] {
  const words = rawWordsOf(phrase);
  const telling = words.filter((word) => !fillers.has(word));
  return (telling.length > 0 ? telling : words).map(stemOf);
}

const wholeName = (name: string) =>
  name.startsWith('@') ? `@n8n/n8n-nodes-langchain.${name.slice(1)}` : `n8n-nodes-base.${name}`;
