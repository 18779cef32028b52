import { createRedactor } from '../../kernel/redact.ts';
import type { Json } from '../../kernel/source.ts';
import type { Definition } from '../definition/shape.ts';

const MOST_SECRETS = 200;

/** Whether an input is one that nobody may read. */
const isSecret = (schema: Json): boolean =>
  schema.secret === true || schema.writeOnly === true || schema.format === 'password';

/** The texts in secret inputs. */
export function secretsIn({ inputs: schemas }: Definition, inputs: Json): string[] {
  const found: string[] = [];
  const collect = (value: unknown): void => {
    if (found.length >= MOST_SECRETS) return;
    if (typeof value === 'string' && value !== '') found.push(value);
    else if (typeof value === 'number') found.push(String(value));
    else if (typeof value === 'object' && value !== null) Object.values(value).forEach(collect);
  };
  for (const [name, schema] of Object.entries(schemas)) if (isSecret(schema)) collect(inputs[name]);
  return found;
}

/** Inputs as they may be shown. */
export const shownInputs = ({ inputs: schemas }: Definition, inputs: Json): Json =>
  Object.fromEntries(
    Object.entries(inputs).map(([name, value]) => [
      name,
      Object.hasOwn(schemas, name) && isSecret(schemas[name] as Json) ? '[secret]' : value,
    ]),
  );

/** Removes secrets from text that is shown or stored in clear. */
export function maskOf(
  definition: Definition,
  inputs: Json,
  redact: (text: string) => string,
): (text: string) => string {
  const secrets = secretsIn(definition, inputs);
  if (secrets.length === 0) return redact;
  const own = createRedactor(() => secrets);
  return (text) => redact(own(text));
}
