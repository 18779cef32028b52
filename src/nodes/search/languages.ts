import { dictionary } from './dictionary.ts';
import { fillers } from './fillers.ts';
import { rawWordsOf } from './words.ts';

/** Entries by their first word, longest first. */
type Entries = Map<string, { words: string[]; english: string[] }[]>;

let read: Entries | undefined;

/**
 * Translates the known words of a question into the English of our phrases. Unknown words stay, because app names are the
 * same in every language. An English question stays unchanged.
 */
export function inEnglish(words: readonly string[]): { words: string[]; translated: boolean } {
  read ??= readDictionary();
  const out: string[] = [];
  let foreign = 0;
  for (let at = 0; at < words.length; ) {
    const word = words[at] as string;
    const entry = read.get(word)?.find((one) => one.words.every((part, index) => words[at + index] === part));
    if (entry) {
      out.push(...entry.english);
      // Fillers do not count: some are English words too ("die", "son").
      if (!fillers.has(word)) foreign += entry.words.length;
      at += entry.words.length;
    } else {
      // Drop unknown Han pairs: they span two words.
      if (!/\p{sc=Han}/u.test(word)) out.push(word);
      at += 1;
    }
  }
  const english = words.filter((word) => fillers.has(word) && !read?.has(word)).length;
  const translated = foreign > english && (foreign > 1 || words.length <= 3);
  return translated ? { words: out, translated } : { words: [...words], translated };
}

function readDictionary(): Entries {
  const entries: Entries = new Map();
  for (const line of dictionary.trim().split('\n')) {
    const at = line.indexOf(':');
    for (const entry of line
      .slice(at + 1)
      .trim()
      .split(' ')) {
      const [foreign = '', english = line.slice(0, at)] = entry.split('=');
      const words = foreign.split('_').flatMap(rawWordsOf);
      const [first] = words;
      if (first === undefined) continue;
      const known = entries.get(first) ?? [];
      if (known.some((one) => one.words.join(' ') === words.join(' '))) continue;
      known.push({ words, english: english.split(/[ _]/).filter(Boolean) });
      entries.set(first, known);
    }
  }
  for (const known of entries.values()) known.sort((one, other) => other.words.length - one.words.length);
  return entries;
}
