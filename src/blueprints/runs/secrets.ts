import { AppError } from '../../kernel/errors.ts';
import { own } from '../../kernel/own.ts';
import { createRedactor } from '../../kernel/redact.ts';
import type { Json } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import type { Definition } from '../definition/shape.ts';
import type { Run } from './run.ts';

/** Each is sought in every text about a run. A list for `for_each` has fewer. */
const MOST_SECRETS = 1000;
/** A secret of a run may be a PIN. Only texts about this run lose what happens to look the same. */
const SHORTEST = 3;

/** Stands where a secret input was. */
const HIDDEN = '[secret]';

/** What is secret about a run. */
type Secretive = Pick<Run, 'definition' | 'inputs' | 'secrets'>;

/** Whether a value with this schema is one that nobody may read. */
export const isSecret = (schema: Json): boolean =>
  schema.secret === true || schema.writeOnly === true || schema.format === 'password';

/** Whether a part of a value with this schema is. */
const holdsSecret = (schema: unknown): boolean =>
  Array.isArray(schema)
    ? schema.some(holdsSecret)
    : isObject(schema) && (isSecret(schema) || Object.values(schema).some(holdsSecret));

/** The value without what its schema calls secret, which is given to `found`. */
function hide(schema: unknown, value: unknown, found: (secret: unknown) => void): unknown {
  if (!isObject(schema) || !holdsSecret(schema)) return value;
  const { properties, items, ...others } = schema;
  // Behind `anyOf`, `$ref` and the like it may be anywhere: rather too much is hidden than too little.
  if (isSecret(schema) || holdsSecret(others)) {
    found(value);
    return HIDDEN;
  }
  if (Array.isArray(value)) return value.map((one) => hide(items, one, found));
  if (!isObject(value) || !isObject(properties)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, hide(own(properties, name), inner, found)]),
  );
}

function hideInputs({ inputs: schemas }: Definition, inputs: Json, found: (secret: unknown) => void): Json {
  return Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [name, hide(own(schemas, name), value, found)]),
  );
}

/** The texts in the secret inputs. */
function textsIn(definition: Definition, inputs: Json): string[] {
  const texts = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string') texts.add(value);
    else if (typeof value === 'number') texts.add(String(value));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  hideInputs(definition, inputs, collect);
  return [...texts];
}

/** The texts that nobody may read: of its own inputs, and of the runs that called it. */
export const secretsOf = ({ definition, inputs, secrets = [] }: Secretive): string[] => [
  ...new Set([...textsIn(definition, inputs), ...secrets]),
];

export function refuseManySecrets(definition: Definition, inputs: Json): void {
  const { length } = textsIn(definition, inputs);
  if (length > MOST_SECRETS)
    throw new AppError(
      'invalid_input',
      `The secret inputs have ${length} texts. At most ${MOST_SECRETS} can be masked.`,
    );
}

/** Inputs as they may be shown. */
export const shownInputs = (definition: Definition, inputs: Json): Json => hideInputs(definition, inputs, () => {});

/** Removes secrets from text that is shown or stored in clear. */
export function maskOf(run: Secretive, redact: (text: string) => string): (text: string) => string {
  const secrets = secretsOf(run);
  if (secrets.length === 0) return redact;
  const own = createRedactor(() => secrets, SHORTEST);
  return (text) => redact(own(text));
}

/** The same for a value: a text in it may be JSON, in which a secret is written in another way than in the whole. */
export function maskValue(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (typeof value === 'number') return mask(String(value)) === String(value) ? value : mask(String(value));
  if (Array.isArray(value)) return value.map((one) => maskValue(one, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [mask(name), maskValue(inner, mask)]));
}
