import { AppError } from '../../kernel/errors.ts';
import type { Roles } from './columns.ts';
import { quoted } from './sql.ts';

type Add = (value: unknown) => string;

const MOST_CONDITIONS = 50;
const DEEPEST = 6;
const MOST_CHOICES = 500;

const COMPARED = new Map([
  ['gt', '>'],
  ['gte', '>='],
  ['lt', '<'],
  ['lte', '<='],
]);
const OPERATORS = ['eq', 'ne', ...COMPARED.keys(), 'in', 'nin', 'exists', 'contains'];

const wrong = (message: string) => new AppError('invalid_input', `filter: ${message}`);

type Scalar = string | number | boolean | null;

const isScalar = (given: unknown): given is Scalar =>
  given === null || typeof given === 'string' || typeof given === 'boolean' || Number.isFinite(given);

const isObject = (given: unknown): given is Record<string, unknown> =>
  typeof given === 'object' && given !== null && !Array.isArray(given);

/** MongoDB and LangChain write `$gte`. */
const bare = (operator: string): string => operator.replace(/^\$/, '');

/**
 * A filter as SQL. Names and values of the caller become parameters, or quoted names of columns that exist. Undefined
 * for a filter without conditions.
 */
export function filterSql(
  filter: Readonly<Record<string, unknown>>,
  roles: Pick<Roles, 'metadata' | 'fields' | 'id' | 'text'>,
  add: Add,
): string | undefined {
  let count = 0;

  function all(given: Readonly<Record<string, unknown>>, depth: number): string | undefined {
    if (depth > DEEPEST) throw wrong(`is nested more than ${DEEPEST} levels deep.`);
    const parts = Object.entries(given).map(([key, value]) => one(key, value, depth));
    return parts.length === 0 ? undefined : parts.length === 1 ? parts[0] : `(${parts.join(' AND ')})`;
  }

  function one(key: string, value: unknown, depth: number): string {
    count += 1;
    if (count > MOST_CONDITIONS) throw wrong(`has more than ${MOST_CONDITIONS} conditions.`);
    const word = bare(key);
    if ((word === 'and' || word === 'or') && Array.isArray(value)) {
      const parts = value.map((each) => {
        const part = isObject(each) ? all(each, depth + 1) : undefined;
        if (part === undefined) throw wrong(`${word} takes a list of filters, each with a condition.`);
        return part;
      });
      if (parts.length === 0) throw wrong(`${word} takes at least one filter.`);
      return `(${parts.join(word === 'and' ? ' AND ' : ' OR ')})`;
    }
    if (word === 'not' && isObject(value)) {
      const part = all(value, depth + 1);
      if (part === undefined) throw wrong('not takes a filter with a condition.');
      return not(part);
    }
    const operand = operandOf(key);
    if (isScalar(value)) return operand.equal(value);
    if (!isObject(value)) throw wrong(`${key} takes a value, or an operator such as {"in": ["a", "b"]}.`);
    const parts = Object.entries(value).map(([name, wanted]) => {
      const operator = bare(name);
      if (!OPERATORS.includes(operator))
        throw wrong(
          `"${name.slice(0, 50)}" is not an operator. Use ${OPERATORS.join(', ')}; for nested keys write a.b.`,
        );
      return condition(operand, key, operator, wanted);
    });
    if (parts.length === 0) throw wrong(`${key} has no condition.`);
    return parts.length === 1 ? (parts[0] as string) : `(${parts.join(' AND ')})`;
  }

  function operandOf(key: string): Operand {
    const { metadata, fields, id, text } = roles;
    const field = [...fields, ...(id ? [id] : []), ...(text ? [text] : [])].find(({ name }) => name === key);
    if (field) return columnOperand(quoted(field.name), add);
    if (!metadata) throw wrong(`there is no column ${key.slice(0, 63)}, and the collection has no metadata.`);
    const path = key.startsWith(`${metadata.name}.`) ? key.slice(metadata.name.length + 1) : key;
    return metadataOperand(
      `${quoted(metadata.name)}${metadata.type === 'json' ? '::jsonb' : ''}`,
      path.split('.'),
      add,
    );
  }

  return all(filter, 0);
}

/** What a filter compares: each of these as SQL. */
interface Operand {
  readonly value: () => string;
  equal(wanted: Scalar): string;
  among(choices: readonly Scalar[]): string;
  contains(wanted: Scalar): string | undefined;
  /** Undefined for what has no order. */
  compared(sign: string, wanted: Scalar): string | undefined;
}

/** True also where the condition is neither true nor false. */
const not = (condition: string): string => `(NOT COALESCE(${condition}, false))`;

function condition(operand: Operand, key: string, operator: string, wanted: unknown): string {
  const scalar = () => {
    if (isScalar(wanted)) return wanted;
    throw wrong(`${key}.${operator} takes a text, a number, true, false or null.`);
  };
  const choices = () => {
    if (!Array.isArray(wanted) || !wanted.every(isScalar) || wanted.length === 0)
      throw wrong(`${key}.${operator} takes a list of values.`);
    if (wanted.length > MOST_CHOICES) throw wrong(`${key}.${operator} has more than ${MOST_CHOICES} values.`);
    return wanted;
  };
  const needed = (part: string | undefined, kinds: string) => {
    if (part === undefined) throw wrong(`${key}.${operator} takes ${kinds}.`);
    return part;
  };
  switch (operator) {
    case 'eq':
      return operand.equal(scalar());
    case 'ne':
      return not(operand.equal(scalar()));
    case 'in':
      return operand.among(choices());
    case 'nin':
      return not(operand.among(choices()));
    case 'exists':
      if (typeof wanted !== 'boolean') throw wrong(`${key}.exists takes true or false.`);
      return `${operand.value()} IS ${wanted ? 'NOT NULL' : 'NULL'}`;
    case 'contains':
      return needed(operand.contains(scalar()), 'a text');
    default:
      return needed(operand.compared(COMPARED.get(operator) as string, scalar()), 'a text or a number');
  }
}

/** A column of the table. PostgreSQL reads the value as the column's type. */
function columnOperand(column: string, add: Add): Operand {
  return {
    value: () => column,
    equal: (wanted) => (wanted === null ? `${column} IS NULL` : `${column} = ${add(String(wanted))}`),
    among(choices) {
      const rest = choices.filter((one) => one !== null);
      const parts = [
        ...(rest.length > 0 ? [`${column} = ANY(${add(rest.map(String))})`] : []),
        ...(rest.length < choices.length ? [`${column} IS NULL`] : []),
      ];
      return `(${parts.join(' OR ')})`;
    },
    contains: (wanted) =>
      typeof wanted === 'string' ? `(strpos(lower(${column}::text), lower(${add(wanted)}::text)) > 0)` : undefined,
    compared: (sign, wanted) => (wanted === null ? undefined : `${column} ${sign} ${add(String(wanted))}`),
  };
}

/** A key of the metadata. Values keep their types: 5 is not "5". */
function metadataOperand(metadata: string, path: readonly string[], add: Add): Operand {
  const value = () => `(${metadata} #> ${add(path)}::text[])`;
  const text = () => `(${metadata} #>> ${add(path)}::text[])`;
  const json = (given: unknown) => `${add(JSON.stringify(given))}::text::jsonb`;
  return {
    value,
    equal(wanted) {
      if (wanted === null) return `COALESCE(jsonb_typeof${value()}, 'null') = 'null'`;
      // Written as containment, so that a GIN index serves it.
      const nested = path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), wanted);
      return `${metadata} @> ${json(nested)}`;
    },
    among: (choices) => `${value()} = ANY(${add(choices.map((one) => JSON.stringify(one)))}::text[]::jsonb[])`,
    contains(wanted) {
      if (typeof wanted !== 'string') return `(jsonb_typeof${value()} = 'array' AND ${value()} @> ${json(wanted)})`;
      return `(CASE jsonb_typeof${value()} WHEN 'array' THEN ${value()} @> ${json(wanted)} ELSE strpos(lower(${text()}), lower(${add(wanted)}::text)) > 0 END)`;
    },
    compared(sign, wanted) {
      if (typeof wanted === 'number')
        return `(CASE WHEN jsonb_typeof${value()} = 'number' THEN ${text()}::numeric ${sign} ${add(String(wanted))}::numeric END)`;
      if (typeof wanted === 'string')
        return `(CASE WHEN jsonb_typeof${value()} = 'string' THEN ${text()} COLLATE "C" ${sign} ${add(wanted)}::text END)`;
      return undefined;
    },
  };
}
