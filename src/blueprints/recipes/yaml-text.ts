import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';

const readable = { lineWidth: 0, aliasDuplicateObjects: false } as const;
const inOneLine = { ...readable, blockQuote: false, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER } as const;

/**
 * YAML that reads as this value. The library loses spaces of some texts with several lines: then they are written in one
 * line, or all of it as JSON, which is YAML, too.
 */
export function yamlText(value: unknown): string {
  for (const options of [readable, inOneLine]) {
    const text = stringify(value, options);
    if (isDeepStrictEqual(parse(text), value)) return text;
  }
  return JSON.stringify(value, undefined, 2);
}
