import { AppError } from '../../kernel/errors.ts';
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';

const MOST_COMPARED = 1000;

/** The workflow with this id. If it does not exist, the error suggests similar ids and names. */
export async function existingWorkflow(client: N8nClient, id: string, signal?: AbortSignal): Promise<Workflow> {
  try {
    return await client.workflows.get(id, signal);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new AppError(
      'not_found',
      `No workflow ${id.slice(0, 100)} in n8n (${client.name}). ${await advice(client, id, signal)}`,
      { cause: error, data: { ...error.data, workflowId: id } },
    );
  }
}

async function advice(client: N8nClient, wanted: string, signal?: AbortSignal): Promise<string> {
  const names = new Map<string, string>();
  try {
    for await (const { id, name } of client.workflows.all({}, signal)) {
      names.set(id, id).set(name, id);
      if (names.size > MOST_COMPARED) break;
    }
  } catch {
    return 'n8n_list_workflows shows the ids.';
  }
  const near = nearestNames(wanted, names.keys());
  const found = near.map((name) => (names.get(name) === name ? name : `"${name}" (id ${names.get(name)})`));
  return didYouMean(found, 'n8n_list_workflows shows the ids.');
}
