import type { N8nClient } from '../../src/n8n/client/client.ts';
import { credentialName } from '../../src/n8n/generate/header.ts';
import { GENERATED_PREFIX, markOf } from '../../src/n8n/generated.ts';

/** Removes only what this owner has generated: others may share the n8n. */
export async function removeGeneratedBy(client: N8nClient, owner: string | undefined): Promise<void> {
  for await (const workflow of client.workflows.all({ name: GENERATED_PREFIX })) {
    if (markOf(workflow)?.owner === owner) await client.workflows.delete(workflow.id);
  }
  for await (const { id, name } of client.credentials.all()) {
    if (owner !== undefined && name === credentialName(owner)) await client.credentials.delete(id);
  }
}
