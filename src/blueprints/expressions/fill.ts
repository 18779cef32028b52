import { AppError } from '../../kernel/errors.ts';
import { MOST_BYTES, tooLarge } from './limits.ts';
import { DEEPEST_VALUE, templateParts, templatesIn, tooDeep } from './template.ts';

const MOST_EXPRESSIONS = 1_000;

/** The expressions in a value, each once. */
export function sourcesIn(value: unknown): readonly string[] {
  const sources = new Set<string>();
  templatesIn(value, (text) => {
    for (const part of templateParts(text)) if (part.kind === 'expression') sources.add(part.source);
    if (sources.size > MOST_EXPRESSIONS)
      throw new AppError('too_large', `The value has more than ${MOST_EXPRESSIONS} expressions.`);
  });
  return [...sources];
}

/**
 * The value with every expression replaced by what it gives. `texts` has the JSON text of each expression. A value that is
 * used often may make the result large, so it is measured while it grows.
 */
export function filledIn(value: unknown, texts: ReadonlyMap<string, string>): unknown {
  let left = MOST_BYTES;
  const take = (bytes: number): void => {
    left -= bytes;
    if (left < 0) throw tooLarge();
  };

  const text = (template: string): unknown => {
    const parts = templateParts(template);
    const [first] = parts;
    if (parts.length === 1 && first?.kind === 'expression') {
      const json = texts.get(first.source) ?? 'null';
      take(Buffer.byteLength(json));
      return JSON.parse(json) as unknown;
    }
    const pieces = parts.map((part) => {
      const piece = part.kind === 'text' ? part.text : inText(texts.get(part.source) ?? 'null');
      take(Buffer.byteLength(piece));
      return piece;
    });
    return pieces.join('');
  };

  const each = (one: unknown, depth: number): unknown => {
    if (typeof one === 'string') return text(one);
    if (typeof one !== 'object' || one === null) {
      take(String(one).length);
      return one;
    }
    if (depth >= DEEPEST_VALUE) throw tooDeep();
    if (Array.isArray(one)) return one.map((item) => each(item, depth + 1));
    return Object.fromEntries(
      Object.entries(one).map(([key, item]) => {
        take(Buffer.byteLength(key));
        return [key, each(item, depth + 1)];
      }),
    );
  };
  return each(value, 0);
}

/** A value put into a text: texts as they are, null as nothing, everything else as JSON. */
function inText(json: string): string {
  if (json === 'null') return '';
  return json.startsWith('"') ? (JSON.parse(json) as string) : json;
}
