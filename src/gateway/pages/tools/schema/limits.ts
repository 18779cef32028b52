import { brief, isObject, type Json, own } from './json.ts';

const formats: ReadonlyMap<unknown, string> = new Map([
  ['date-time', 'a time such as 2026-01-31T12:00:00Z'],
  ['date', 'a date such as 2026-01-31'],
  ['time', 'a time of day such as 12:00:00Z'],
  ['duration', 'a duration such as PT5M'],
  ['email', 'an e-mail address'],
  ['uri', 'an address such as https://example.com'],
  ['url', 'an address such as https://example.com'],
  ['uuid', 'a UUID'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
  ['hostname', 'a host name'],
  ['regex', 'a regular expression'],
]);

/** What only the server checks, and the form cannot show. */
const unshown: ReadonlyMap<string, string> = new Map([
  ['not', 'some values are excluded'],
  ['if', 'depends on other values'],
  ['dependentSchemas', 'depends on other values'],
  ['dependentRequired', 'some need others'],
  ['contains', 'needs an item of a certain kind'],
  ['propertyNames', 'names have rules'],
  ['unevaluatedProperties', ''],
]);

/** The constraints of a schema in words. Patterns are shown and never run: one that never ends would hang the page. */
export function limitsOf(schema: Json): string[] {
  const number = (name: string): number | undefined => {
    const value = own(schema, name);
    return typeof value === 'number' ? value : undefined;
  };
  const words: string[] = [];
  const format = own(schema, 'format');
  if (typeof format === 'string') words.push(formats.get(format) ?? `format ${brief(format)}`);
  words.push(...span(number('minLength'), number('maxLength'), 'character'));
  words.push(...span(number('minItems'), number('maxItems'), 'item'));
  words.push(...span(number('minProperties'), number('maxProperties'), 'property', 'properties'));
  const [least, most] = [number('minimum'), number('maximum')];
  if (least !== undefined && most !== undefined) words.push(`${least} to ${most}`);
  else if (least !== undefined) words.push(`at least ${least}`);
  else if (most !== undefined) words.push(`at most ${most}`);
  const [above, below] = [number('exclusiveMinimum'), number('exclusiveMaximum')];
  if (above !== undefined) words.push(`more than ${above}`);
  if (below !== undefined) words.push(`less than ${below}`);
  const step = number('multipleOf');
  if (step !== undefined) words.push(`a multiple of ${step}`);
  const pattern = own(schema, 'pattern');
  if (typeof pattern === 'string') words.push(`matches ${brief(pattern, 200)}`);
  const names = own(schema, 'patternProperties');
  if (isObject(names)) words.push(`names match ${brief(Object.keys(names).join(' or '), 200)}`);
  if (own(schema, 'uniqueItems') === true) words.push('no item twice');
  const encoding = own(schema, 'contentEncoding');
  if (typeof encoding === 'string') words.push(`encoded as ${brief(encoding)}`);
  if (own(schema, 'deprecated') === true) words.push('deprecated');
  words.push(...alternatives(schema));
  for (const [name, text] of unshown) if (text !== '' && Object.hasOwn(schema, name)) words.push(text);
  return [...new Set(words)];
}

function span(least: number | undefined, most: number | undefined, one: string, many: string = `${one}s`): string[] {
  const unit = (value: number) => (value === 1 ? one : many);
  if (least !== undefined && most !== undefined)
    return [least === most ? `exactly ${most} ${unit(most)}` : `${least} to ${most} ${many}`];
  if (least !== undefined && least > 0) return [`at least ${least} ${unit(least)}`];
  return most === undefined ? [] : [`at most ${most} ${unit(most)}`];
}

/** Branches that only say which properties must be there. */
function alternatives(schema: Json): string[] {
  return (['anyOf', 'oneOf'] as const).flatMap((keyword) => {
    const branches = own(schema, keyword);
    if (!Array.isArray(branches) || !branches.every(onlyRequires)) return [];
    const sets = branches.map((branch) => requiredIn(branch as Json).join(' and '));
    return [`needs ${keyword === 'oneOf' ? 'exactly' : 'at least'} one of: ${sets.join(', ')}`];
  });
}

/** Whether a branch says nothing but which properties it needs. */
export const onlyRequires = (branch: unknown): boolean =>
  isObject(branch) &&
  Array.isArray(own(branch, 'required')) &&
  Object.keys(branch).every((name) => ['required', 'title', 'description', 'type'].includes(name)) &&
  (own(branch, 'type') ?? 'object') === 'object';

export const requiredIn = (schema: Json): string[] => {
  const names = own(schema, 'required');
  return Array.isArray(names) ? names.filter((name) => typeof name === 'string') : [];
};
