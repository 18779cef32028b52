import { toAppError } from '../kernel/errors.ts';
import type { N8nClient } from '../n8n/client/client.ts';
import { GENERATED_TAG, isGeneratedCredential } from '../n8n/generated.ts';
import type { OwnRecords } from '../n8n/generate/records.ts';
import { ownerOf } from '../n8n/generate/owner.ts';
import { generatedIn } from '../n8n/generate/generated-in.ts';
import { deleteHeaderCredentials } from '../n8n/generate/header.ts';
import { deleteGenerated } from '../n8n/generate/write.ts';

export interface Removed {
  readonly removed: { id: string; name: string; for?: string; active: boolean }[];
  readonly credentials: number;
  /** How many generated workflows of another Sluice stay. */
  readonly left: number;
}

/** Deletes everything that Sluice wrote into an n8n: workflows, credentials, and the tag if it is no longer used. */
export async function removeGenerated(
  { client, records, others }: { client: N8nClient; records: OwnRecords; others: boolean },
  signal: AbortSignal,
): Promise<Removed> {
  const owner = await ownerOf(records);
  const all = await generatedIn(client, signal);
  const meant = all.filter(({ mark }) => others || mark.owner === owner);
  const removed: Removed['removed'] = [];
  for (const { workflow, mark } of meant) {
    await deleteGenerated(client, workflow.id, signal);
    const { id, name, active } = workflow;
    removed.push({ id, name, ...(mark.source !== undefined && { for: mark.source }), active });
  }
  let credentials = await deleteHeaderCredentials({ client, records, owner }, signal);
  if (others) credentials += await deleteOthers(client, signal);
  const left = all.length - meant.length;
  if (left === 0) await deleteTag(client, signal);
  return { removed, credentials, left };
}

async function deleteOthers(client: N8nClient, signal: AbortSignal): Promise<number> {
  let count = 0;
  for (const one of await Array.fromAsync(client.credentials.all(signal))) {
    if (!isGeneratedCredential(one)) continue;
    await client.credentials.delete(one.id, signal);
    count++;
  }
  return count;
}

/** Keeps the tag if a user's workflow has it. */
async function deleteTag(client: N8nClient, signal: AbortSignal): Promise<void> {
  try {
    const { items } = await client.workflows.page({ tags: [GENERATED_TAG], limit: 1 }, signal);
    if (items.length > 0) return;
    for await (const { id, name } of client.tags.all(signal))
      if (name === GENERATED_TAG) await client.tags.delete(id, signal);
  } catch (error) {
    if (!['forbidden', 'unsupported', 'not_found'].includes(toAppError(error).code)) throw error;
  }
}
