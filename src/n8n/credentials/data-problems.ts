import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { conditionsOf, fieldsOf } from './fields.ts';
import { own } from '../../kernel/own.ts';

type Data = Readonly<Record<string, unknown>>;

const CHECKED: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};

/** An expression is worked out when the credential is used, and may become anything. */
const isExpression = (value: unknown): boolean => typeof value === 'string' && value.startsWith('=');

/**
 * What is wrong with the values of a credential, by n8n's schema of its type. Speaks of fields by their names, never of
 * a value. `partial`: some values only, for one that exists.
 */
export function dataProblems(schema: Record<string, unknown>, data: Data, partial = false): string[] {
  const fields = new Map(fieldsOf(schema).map((field) => [field.name, field]));
  const problems = Object.entries(data).flatMap(([name, value]) => {
    const field = fields.get(name);
    if (!field) return [unknownField(name, [...fields.keys()])];
    if (isExpression(value)) return [];
    if (field.options && !field.options.includes(value)) {
      return [`${name} must be one of ${field.options.map((option) => JSON.stringify(option)).join(', ')}`];
    }
    const fits = field.options ? undefined : own(CHECKED, field.type);
    return fits && !fits(value) ? [`${name} must be a ${field.type}`] : [];
  });
  if (partial) return problems;
  const missing = new Set([
    ...[...fields.values()].filter(({ required }) => required).map(({ name }) => name),
    ...conditionsOf(schema)
      .filter(({ when }) => Object.entries(when).every(([name, value]) => own(data, name) === value))
      .flatMap(({ required }) => required),
  ]);
  return [
    ...problems,
    ...[...missing].filter((name) => !Object.hasOwn(data, name)).map((name) => `${name} is missing`),
  ];
}

function unknownField(name: string, known: readonly string[]): string {
  const advice = didYouMean(nearestNames(name, known, 1), `Known fields: ${known.join(', ')}`);
  return `there is no field ${shown(name)} (${advice})`;
}
