import { isObject, isSame, type Json, own, withEntry } from './json.ts';

type Rule = (a: unknown, b: unknown) => unknown;

const smaller: Rule = (a, b) => Math.min(Number(a), Number(b));
const larger: Rule = (a, b) => Math.max(Number(a), Number(b));
const listed = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const joined: Rule = (a, b) => [...new Set([...listed(a), ...listed(b)])];

/** An integer is a number, too. */
function commonTypes(a: unknown, b: unknown): unknown {
  const [left, right] = [listed(a), listed(b)];
  const has = (all: unknown[], type: unknown) => all.includes(type) || (type === 'integer' && all.includes('number'));
  const common = new Set([...left.filter((type) => has(right, type)), ...right.filter((type) => has(left, type))]);
  return common.size === 1 ? [...common][0] : [...common];
}

const both: Rule = (a, b) => (isSame(a, b) ? a : { allOf: [a, b] });

const merged = (a: unknown, b: unknown): unknown =>
  Object.entries(isObject(b) ? b : {}).reduce(
    (all, [name, schema]) => withEntry(all, name, Object.hasOwn(all, name) ? both(own(all, name), schema) : schema),
    isObject(a) ? a : {},
  );

/** What holds if both hold. Where nothing is said, the second wins: it is nearer to where it is used. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['properties', merged],
  ['patternProperties', merged],
  ['$defs', merged],
  ['definitions', merged],
  ['required', joined],
  ['examples', joined],
  ['type', commonTypes],
  ['enum', (a, b) => listed(a).filter((one) => listed(b).some((other) => isSame(one, other)))],
  ['items', both],
  ['additionalProperties', (a, b) => (a === false || b === false ? false : both(a, b))],
  ['allOf', (a, b) => [...listed(a), ...listed(b)]],
  ['minimum', larger],
  ['minLength', larger],
  ['minItems', larger],
  ['minProperties', larger],
  ['exclusiveMinimum', larger],
  ['maximum', smaller],
  ['maxLength', smaller],
  ['maxItems', smaller],
  ['maxProperties', smaller],
  ['exclusiveMaximum', smaller],
]);

/** One schema for two that both apply. */
export function merge(first: Json, second: Json): Json {
  let all: Json = first;
  for (const [name, value] of Object.entries(second)) {
    const rule = rules.get(name);
    all = withEntry(all, name, rule && Object.hasOwn(all, name) ? rule(own(all, name), value) : value);
  }
  return all;
}
