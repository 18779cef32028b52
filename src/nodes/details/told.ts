import { randomUUID } from 'node:crypto';

/** JSON in both forms of a reply: as data and as quoted text. Both are kept, because quoting is the most expensive step. */
export interface Told {
  readonly json: string;
  /** Escaped, without the surrounding quotes. */
  readonly quoted: string;
}

/** JSON whose ids are replaced for each reply: two fragments in one workflow must not share ids. */
export interface Template {
  readonly json: readonly string[];
  readonly quoted: readonly string[];
  /** Index of the id between each text and the next. */
  readonly between: readonly number[];
  readonly ids: number;
}

export const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);

export function templateOf(json: string, ids: readonly string[]): Template {
  let texts = [json];
  let between: number[] = [];
  for (const [number, id] of ids.entries()) {
    const parts = texts.map((text) => text.split(id));
    between = parts.flatMap((part, at) => [
      ...part.slice(1).map(() => number),
      ...(at < between.length ? [between[at] as number] : []),
    ]);
    texts = parts.flat();
  }
  return { json: texts, quoted: texts.map(quoted), between, ids: ids.length };
}

export function told(template: Template): Told {
  const ids = Array.from({ length: template.ids }, () => randomUUID());
  const filled = (texts: readonly string[]) =>
    template.between.reduce((text, id, at) => text + (ids[id] as string) + (texts[at + 1] as string), texts[0] ?? '');
  return { json: filled(template.json), quoted: filled(template.quoted) };
}
