import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { conditionsOf, fieldsOf } from './fields.ts';
import { own } from '../../kernel/own.ts';

type Data = Readonly<Record<string, unknown>>;

const CHECKED: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
};

/** n8n evaluates an expression when it uses the credential, so the result is unknown here. */
const isExpression = (value: unknown): boolean => typeof value === 'string' && value.startsWith('=');

/**
 * Checks the values of a credential against n8n's schema of its type. A problem names the field, never the value.
 * `partial`: the credential exists, so values may be missing.
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
  return `unknown field ${shown(name)} (${advice})`;
}
