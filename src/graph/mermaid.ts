import type { Head, RelationName } from './engine.ts';

const LONGEST_LABEL = 60;

/** Letters and digits of any script, emoji, and what means nothing to Mermaid. */
const PLAIN = /[\p{L}\p{N}\p{M}\p{Extended_Pictographic}\p{Emoji_Component} _.,!?'/+-]/u;

/**
 * A text that Mermaid shows as it is. Everything that could mean something to it, such as quotes, brackets and directives,
 * becomes a code: `#34;`.
 */
export function mermaidText(text: string): string {
  const line = text.toWellFormed().replaceAll(/\s+/gu, ' ').trim();
  const letters = Array.from(line);
  const cut = letters.length > LONGEST_LABEL ? [...letters.slice(0, LONGEST_LABEL - 1), '…'] : letters;
  return cut.map((letter) => (isPlain(letter) ? letter : codeOf(letter))).join('') || ' ';
}

// `#` and `*` are components of emoji.
const isPlain = (letter: string): boolean => PLAIN.test(letter) && letter !== '#' && letter !== '*';

/** Characters without a shape are left out: they could hide or turn around what follows. */
const codeOf = (letter: string): string => (/[\p{C}\p{Z}]/u.test(letter) ? '' : `#${letter.codePointAt(0)};`);

/** A flowchart. Relations between the same two entities share one arrow. */
export function flowchart(entities: readonly Head[], relations: readonly RelationName[]): string {
  const ids = new Map(entities.map(({ name }, at) => [name, `n${at}`]));
  const arrows = new Map<string, Set<string>>();
  for (const { from, type, to } of relations) {
    const [source, target] = [ids.get(from), ids.get(to)];
    if (source === undefined || target === undefined) continue;
    const key = `${source} ${target}`;
    arrows.set(key, (arrows.get(key) ?? new Set()).add(type));
  }
  return [
    'flowchart LR',
    ...entities.map(({ name, type }, at) => `  n${at}["${mermaidText(name)}<br/>${mermaidText(type)}"]`),
    ...[...arrows].map(([key, types]) => {
      const [source, target] = key.split(' ');
      return `  ${source} -->|"${[...types].map(mermaidText).join(', ')}"| ${target}`;
    }),
  ].join('\n');
}
