import { AppError, messageOf } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Credential } from '../client/shapes.ts';
import { isGeneratedCredential } from '../generated.ts';
import { referencesIn } from './references.ts';

export interface KnownCredentials {
  readonly credentials: Credential[];
  /** Who told: n8n's API all of them, its database all of them, its workflows those that are in use. */
  readonly source: 'n8n' | 'database' | 'workflows';
  readonly note?: string;
}

/** The credentials of an n8n. Where the key may not list them, from what it may read, then from n8n's own database. */
export async function knownCredentials(client: N8nClient, signal?: AbortSignal): Promise<KnownCredentials> {
  const { credentials, ...rest } = await everyCredential(client, signal);
  return { credentials: credentials.filter((one) => !isGeneratedCredential(one)), ...rest };
}

async function everyCredential(client: N8nClient, signal?: AbortSignal): Promise<KnownCredentials> {
  try {
    return { credentials: await Array.fromAsync(client.credentials.all(signal)), source: 'n8n' };
  } catch (error) {
    if (!isNotAllowed(error)) throw error;
    return withoutTheApi(client, error, signal);
  }
}

export const isNotAllowed = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'forbidden' || error.code === 'unsupported');

async function withoutTheApi(client: N8nClient, refused: AppError, signal?: AbortSignal): Promise<KnownCredentials> {
  const { credentialDatabase: database } = client;
  const told = await database?.list(signal).catch((error: unknown) => messageOf(error));
  if (typeof told === 'object') {
    return {
      credentials: told,
      source: 'database',
      note: "The API key may not list credentials (scope credential:list): these are from n8n's database.",
    };
  }
  const inUse = await credentialsInUse(client, signal).catch((error: unknown) => {
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

async function credentialsInUse(client: N8nClient, signal?: AbortSignal): Promise<Credential[]> {
  const found = new Map<string, Credential>();
  for await (const workflow of client.workflows.all({}, signal)) {
    for (const { id, name, type } of referencesIn(workflow)) {
      if (id !== undefined && !found.has(id)) found.set(id, { id, name, type });
    }
  }
  return [...found.values()];
}
