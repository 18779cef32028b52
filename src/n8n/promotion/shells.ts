import { randomInt } from 'node:crypto';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import { dataProblems } from '../credentials/data-problems.ts';
import { type Field, fieldsOf } from '../credentials/fields.ts';
import type { Mappable } from './link.ts';

/** A credential without values, as n8n accepts it. */
export interface Shell {
  /** As the source knows it. */
  readonly item: Mappable;
  readonly id: string;
  readonly type: string;
  readonly data: Record<string, unknown>;
  /** The fields that somebody has to fill. */
  readonly fields: readonly string[];
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 16;
const MOST_FIELDS = 12;

/** n8n takes the id from us, so we know it even if its answer is lost. Never the source's: another user may have it. */
const newId = (): string => Array.from({ length: ID_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('');

/** Prepares the credentials that are to be created. A type that the target lacks is a problem. */
export async function shellsFor(
  client: N8nClient,
  items: readonly Mappable[],
  signal: AbortSignal,
): Promise<{ shells: Shell[]; problems: string[] }> {
  const types = [...new Set(items.map(({ type = '' }) => type))];
  const schemas = new Map<string, Record<string, unknown>>();
  const problems: string[] = [];
  for (const type of types) {
    try {
      schemas.set(type, await client.credentials.schema(type, signal));
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
      problems.push(
        `n8n (${client.name}) does not know the credential type ${type}. Install the nodes that bring it, or map the credential.`,
      );
    }
  }
  const shells = items.flatMap((item): Shell[] => {
    const { type = '' } = item;
    const schema = schemas.get(type);
    if (!schema) return [];
    const fields = fieldsOf(schema);
    const wanted = fields.filter(({ required }) => required);
    return [
      {
        item,
        id: newId(),
        type,
        data: leastData(schema),
        fields: (wanted.length > 0 ? wanted : fields).slice(0, MOST_FIELDS).map(({ name }) => name),
      },
    ];
  });
  return { shells, problems };
}

/** The fewest values that the schema accepts. A value can make other fields required, hence the loop. */
export function leastData(schema: Record<string, unknown>): Record<string, unknown> {
  const fields = new Map(fieldsOf(schema).map((field) => [field.name, field]));
  const data = new Map<string, unknown>();
  for (let round = 0; round <= fields.size; round++) {
    const missing = dataProblems(schema, Object.fromEntries(data)).flatMap(
      (problem) => /^(.+) is missing$/.exec(problem)?.[1] ?? [],
    );
    if (missing.length === 0) break;
    for (const name of missing) data.set(name, noneOf(fields.get(name)));
  }
  return Object.fromEntries(data);
}

function noneOf(field: Field | undefined): unknown {
  if (field?.options) return field.options[0];
  if (field?.type === 'number') return 0;
  return field?.type === 'boolean' ? false : '';
}
