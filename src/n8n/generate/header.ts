import { AppError, toAppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Credential } from '../client/shapes.ts';
import { GENERATED_PREFIX } from '../generated.ts';
import type { OwnRecords } from './records.ts';

/** The request header whose secret n8n checks before it runs a generated workflow. */
export const HEADER = 'x-sluice-bridge';

export async function headerSecret(records: OwnRecords, instance: string): Promise<string> {
  return (await records.secret(`header.${instance}`)).toString('base64url');
}

export const credentialName = (owner: string): string => `${GENERATED_PREFIX}bridge ${owner}`;

const recordOf = (instance: string): string => `credentials.${instance}`;

/** Ids of the credentials we created, by project. */
async function known(records: OwnRecords, instance: string): Promise<Record<string, string>> {
  const stored = await records.get(recordOf(instance));
  return typeof stored === 'object' && stored !== null ? (stored as Record<string, string>) : {};
}

/** The credential that opens generated workflows of a project; created if missing. Its value is never read back. */
export async function headerCredential(
  options: { client: N8nClient; records: OwnRecords; owner: string; project: string | undefined },
  signal: AbortSignal,
): Promise<Pick<Credential, 'id' | 'name'>> {
  const { client, records, owner, project } = options;
  // Take turns, so that concurrent calls do not create two.
  return client.turns.take('sluice bridge credential', async () => {
    const name = credentialName(owner);
    const ids = await known(records, client.name);
    const place = `project ${project ?? ''}`;
    const id = Object.hasOwn(ids, place) ? ids[place] : undefined;
    if (id !== undefined && (await isThere(client, id, signal))) return { id, name };
    const made = await client.credentials.create(
      {
        name,
        type: 'httpHeaderAuth',
        data: { name: HEADER, value: await headerSecret(records, client.name) },
        ...(project !== undefined && { projectId: project }),
      },
      signal,
    );
    await records.put(recordOf(client.name), { ...ids, [place]: made.id });
    return { id: made.id, name };
  });
}

/** Assumes yes if the key may not read credentials: otherwise we would create a new one every time. */
async function isThere(client: N8nClient, id: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.credentials.get(id, signal);
    return true;
  } catch (error) {
    if (error instanceof AppError && ['forbidden', 'unsupported'].includes(error.code)) return true;
    if (toAppError(error).code === 'not_found') return false;
    throw error;
  }
}

/** Deletes the credentials we created, both recorded ones and any with our name. Returns how many. */
export async function deleteHeaderCredentials(
  { client, records, owner }: { client: N8nClient; records: OwnRecords; owner: string },
  signal: AbortSignal,
): Promise<number> {
  const ids = new Set(Object.values(await known(records, client.name)));
  try {
    for await (const { id, name } of client.credentials.all(signal)) if (name === credentialName(owner)) ids.add(id);
  } catch (error) {
    if (!['forbidden', 'unsupported'].includes(toAppError(error).code)) throw error;
  }
  let count = 0;
  for (const id of ids) {
    try {
      await client.credentials.delete(id, signal);
      count++;
    } catch (error) {
      if (toAppError(error).code !== 'not_found') throw error;
    }
  }
  await records.put(recordOf(client.name), {});
  return count;
}
