import { AppError, messageOf } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Credential, Workflow } from '../client/shapes.ts';
import { isGeneratedCredential } from '../generated.ts';
import { referencesIn } from './references.ts';

export interface KnownCredentials {
  readonly credentials: Credential[];
  /** Where they come from. n8n's API and its database know all of them, workflows only those in use. */
  readonly source: 'n8n' | 'database' | 'workflows';
  readonly note?: string;
}

/**
 * The credentials of an n8n. If the API key may not list them, they come from n8n's database, or else from the workflows
 * that use them: the given workflows, or all.
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
      note: "The API key may not list credentials (scope credential:list). These are from n8n's database.",
    };
  }
  const inUse = await credentialsInUse(workflows ?? client.workflows.all({}, signal)).catch((error: unknown) => {
    throw isNotAllowed(error) ? refused : error;
  });
  const more =
    told ??
    `To see all, add n8n.${client.name}.database: postgres://… to the configuration, or use a key with that scope.`;
  return {
    credentials: inUse,
    source: 'workflows',
    note: `The API key may not list credentials (scope credential:list). These are the ones that workflows use. ${more}`,
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
