import { toAppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Credential, Node, Workflow } from '../client/shapes.ts';
import type { WorkflowBody } from '../client/workflows.ts';
import { GENERATED_TAG } from '../generated.ts';
import { insistent } from '../workflows/lost.ts';
import { projectOf } from '../workflows/project.ts';
import type { Generated } from './generated-in.ts';
import { stableJson } from './stable-json.ts';

/** What you need to write a generated workflow. */
export interface Writing {
  readonly client: N8nClient;
  readonly owner: string;
  /** Value of the header that opens it. */
  readonly secret: string;
  readonly credential: Pick<Credential, 'id' | 'name'>;
  readonly signal: AbortSignal;
}

/** Clean-up must not delay the gateway's stop when n8n hangs. */
const TIDY_MS = 3000;

/** Writes and publishes a generated workflow. Deletes a new one that could not be published. */
export async function writeGenerated(
  client: N8nClient,
  body: WorkflowBody,
  options: { project: string | undefined; existing: Generated | undefined },
  signal: AbortSignal,
): Promise<Workflow> {
  const existing = options.existing?.workflow;
  // n8n keeps a setting that an update omits, so only a new workflow gets rid of it.
  const isStuck = existing?.settings?.timezone !== undefined && body.settings.timezone === undefined;
  // The source moved to another project, and the credential is there.
  const home = existing && projectOf(existing)?.id;
  const isElsewhere = home !== undefined && options.project !== undefined && home !== options.project;
  if (existing && !existing.isArchived && !isStuck && !isElsewhere) {
    const { workflow, publishRefused } = await client.workflows.update(existing.id, body, true, signal);
    if (publishRefused) throw publishRefused;
    return existing.active ? workflow : insistent(() => client.workflows.publish(existing.id, signal));
  }
  if (existing) await deleteGenerated(client, existing.id, signal);
  const placed = { ...body, ...(options.project !== undefined && { projectId: options.project }) };
  const made = await client.workflows.create(placed, signal);
  try {
    await tag(client, made.id, signal);
    return await insistent(() => client.workflows.publish(made.id, signal));
  } catch (error) {
    // Don't pass the caller's signal: it may be aborted. If the delete fails, we find the workflow later by its mark.
    await client.workflows.delete(made.id, AbortSignal.timeout(TIDY_MS)).catch(() => {});
    throw error;
  }
}

export async function deleteGenerated(client: N8nClient, id: string, signal: AbortSignal): Promise<void> {
  try {
    await insistent(() => client.workflows.delete(id, signal));
  } catch (error) {
    if (toAppError(error).code !== 'not_found') throw error;
  }
}

/** Tags the workflow, for people who see it in n8n's list. Skipped if the key may not set tags. */
async function tag(client: N8nClient, id: string, signal: AbortSignal): Promise<void> {
  const setTag = async () => {
    const ours = await client.turns.take('sluice bridge tag', async () => {
      const tags = await Array.fromAsync(client.tags.all(signal));
      return tags.find(({ name }) => name === GENERATED_TAG) ?? (await client.tags.create(GENERATED_TAG, signal));
    });
    await client.workflows.setTags(id, [ours.id], signal);
  };
  try {
    await setTag().catch((error: unknown) => {
      // Another Sluice on this n8n deleted or created the tag since we looked.
      if (!['not_found', 'conflict'].includes(toAppError(error).code)) throw error;
      return setTag();
    });
  } catch (error) {
    if (!['forbidden', 'unsupported'].includes(toAppError(error).code)) throw error;
  }
}

/** Whether a workflow is still as we wrote it. Somebody may have edited it. */
export function isAsWritten(workflow: Workflow, body: WorkflowBody): boolean {
  return (
    workflow.name === body.name &&
    stableJson(essence(workflow.nodes)) === stableJson(essence(body.nodes)) &&
    sameLinks(workflow, body)
  );
}

const essence = (nodes: readonly Node[]) =>
  nodes
    .map(({ name, type, typeVersion, parameters, credentials, disabled = false }) => ({
      name,
      type,
      typeVersion,
      parameters,
      credentials: Object.entries(credentials ?? {}).map(([kind, { id }]) => [kind, id]),
      disabled,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));

const sameLinks = (one: Pick<Workflow, 'connections'>, other: Pick<Workflow, 'connections'>): boolean =>
  stableJson(one.connections) === stableJson(other.connections);
