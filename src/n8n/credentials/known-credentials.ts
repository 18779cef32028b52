import { AppError, messageOf } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Credential, Workflow } from '../client/shapes.ts';
import { isGeneratedCredential } from '../generated.ts';
import { referencesIn } from './references.ts';

export interface KnownCredentials {
  readonly credentials: Credential[];
  /** Who told: n8n's API all of them, its database all of them, its workflows those that are in use. */
  readonly source: 'n8n' | 'database' | 'workflows';
  readonly note?: string;
}

/**
 * The credentials of an n8n. Where the key may not list them, from n8n's own database, then from what workflows name:
 * those that were read already, or all of them.
 */
export async function knownCredentials(
  client: N8nClient,
  signal?: AbortSignal,
  workflows?: Iterable<Workflow>,
): Promise<KnownCredentials> {
  const { credentials, ...rest } = await everyCredential(client, signal, workflows);
  return { credentials: credentials.filter((one) => !isGeneratedCredential(one)), ...rest };
}

async function everyCredential(
  client: N8nClient,
  signal?: AbortSignal,
  workflows?: Iterable<Workflow>,
): Promise<KnownCredentials> {
  try {
    return { credentials: await Array.fromAsync(client.credentials.all(signal)), source: 'n8n' };
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    return withoutTheApi(client, error, signal, workflows);
  }
}

export const isNotAllowed = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'forbidden' || error.code === 'unsupported');

async function withoutTheApi(
  client: N8nClient,
  refused: AppError,
  signal: AbortSignal | undefined,
  workflows: Iterable<Workflow> | undefined,
): Promise<KnownCredentials> {
  const { credentialDatabase: database } = client;
  const told = await database?.list(signal).catch((error: unknown) => messageOf(error));
  if (typeof told === 'object') {
    return {
      credentials: told,
      source: 'database',
      note: "The API key may not list credentials (scope credential:list): these are from n8n's database.",
    };
  }
  const inUse = await credentialsInUse(workflows ?? client.workflows.all({}, signal)).catch((error: unknown) => {
    throw isNotAllowed(error) ? refused : error;
  });
  const more =
    told ?? `Put n8n.${client.name}.database: postgres://… into the configuration, or use a key that may list them.`;
  return {
    credentials: inUse,
    source: 'workflows',
    note: `The API key may not list credentials (scope credential:list): these are the ones that workflows use. ${more}`,
  };
}

async function credentialsInUse(workflows: Iterable<Workflow> | AsyncIterable<Workflow>): Promise<Credential[]> {
  const found = new Map<string, Credential>();
  for await (const workflow of workflows) {
    for (const { id, name, type } of referencesIn(workflow)) {
      if (id !== undefined && !found.has(id)) found.set(id, { id, name, type });
    }
  }
  return [...found.values()];
}
