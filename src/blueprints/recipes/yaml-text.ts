import { isDeepStrictEqual } from 'node:util';
import { parse, stringify } from 'yaml';

const options = { lineWidth: 0, aliasDuplicateObjects: false } as const;

/** YAML that reads as this value. Texts of several lines stay readable, unless they have spaces that a block would lose. */
export function yamlText(value: unknown): string {
  const text = stringify(value, options);
  return isDeepStrictEqual(parse(text), value) ? text : stringify(value, { ...options, blockQuote: false });
}
