import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../kernel/nearest-names.ts';
import type { N8nClient } from '../client/client.ts';
import { dataProblems } from './data-problems.ts';
import { knownCredentials } from './known-credentials.ts';

/** Suggested besides the types in use, because n8n's API does not list all types. */
const COMMON = ['httpBasicAuth', 'httpBearerAuth', 'httpHeaderAuth', 'httpQueryAuth', 'oAuth2Api', 'postgres', 'smtp'];

/** n8n's schema of a credential type. */
export async function typeSchema(
  client: N8nClient,
  type: string,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  try {
    return await client.credentials.schema(type, signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    const { credentials } = await knownCredentials(client, signal).catch(() => ({ credentials: [] }));
    const near = nearestNames(type, [...COMMON, ...credentials.map((one) => one.type)]);
    const advice = didYouMean(
      near,
      'Spell it as n8n does, such as httpHeaderAuth or slackApi; n8n_list_credentials shows the types in use.',
    );
    throw new AppError('not_found', `n8n (${client.name}) has no credential type ${shown(type)}. ${advice}`, {
      cause: error,
    });
  }
}

/** Throws if the values do not fit the type. */
export function assertFits(
  type: string,
  schema: Record<string, unknown>,
  data: Readonly<Record<string, unknown>>,
  partial: boolean,
): void {
  const problems = dataProblems(schema, data, partial);
  if (problems.length === 0) return;
  throw new AppError(
    'invalid_input',
    `The values do not fit ${type}: ${problems.join('; ')}. Nothing was saved. n8n_get_credential_schema shows the fields.`,
  );
}

/** Removes the given values from an error, because n8n's message may repeat them. */
export async function withoutValues<T>(data: Readonly<Record<string, unknown>>, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const message = valuesIn(data).reduce((text, value) => text.replaceAll(value, '…'), error.message);
    throw new AppError(error.code, message, error.data && { data: error.data });
  }
}

/** Replacing shorter values would garble ordinary words. */
const SHORTEST = 4;

function valuesIn(data: unknown): string[] {
  if (typeof data === 'string') return data.length >= SHORTEST ? [data] : [];
  if (typeof data !== 'object' || data === null) return [];
  return Object.values(data)
    .flatMap(valuesIn)
    .sort((a, b) => b.length - a.length);
}
