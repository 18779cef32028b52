import { AppError } from '../../../kernel/errors.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Credential, Workflow } from '../../client/shapes.ts';
import { existingCredential } from '../../credentials/existing.ts';
import { existingWorkflow } from '../../workflows/existing.ts';
import { folderIn, isTop, placed } from '../folders/folder-tree.ts';
import { ownerOfCredential } from '../projects/contents.ts';
import { destinationProject } from '../projects/known-projects.ts';
import { unlessRefused } from '../refused.ts';

export type Step =
  | { readonly kind: 'workflow'; readonly id: string; readonly name: string; readonly workflow: Workflow }
  | { readonly kind: 'credential'; readonly id: string; readonly name: string; readonly owner: string | undefined };

export interface Plan {
  readonly project: { readonly id: string; readonly name?: string };
  /** The folder in it; `id` null is the top level. */
  readonly folder: { readonly id: string | null; readonly path: string } | undefined;
  readonly steps: readonly Step[];
  /** Who owns which credential, as far as it is known. */
  readonly owners: ReadonlyMap<string, string | undefined>;
}

/** Everything that can be known to fail fails here, before anything is moved. */
export async function planned(
  input: {
    workflows?: string[] | undefined;
    credentials?: string[] | undefined;
    to_project: string;
    to_folder?: string | undefined;
  },
  client: N8nClient,
  signal: AbortSignal,
): Promise<Plan> {
  const { workflows = [], credentials = [], to_project, to_folder } = input;
  if (workflows.length + credentials.length === 0)
    throw new AppError('invalid_input', 'Say what to move: ids in "workflows", "credentials" or both.');
  if (to_folder !== undefined && workflows.length === 0)
    throw new AppError('invalid_input', 'Credentials are in no folder. Leave "to_folder" out.');
  const project = await destinationProject(client, to_project, signal);
  const folder = to_folder === undefined ? undefined : await folderOf(client, project.id, to_folder, signal);
  const listed = await unlessRefused(Array.fromAsync(client.credentials.all(signal)));
  const owners = new Map((listed ?? []).map((one: Credential) => [one.id, ownerOfCredential(one)] as const));
  const steps: Step[] = [];
  // Credentials go first: workflows need them where they are going.
  for (const id of new Set(credentials)) {
    const { name } = await existingCredential(client, id, signal);
    steps.push({ kind: 'credential', id, name, owner: owners.get(id) });
  }
  for (const id of new Set(workflows)) {
    const workflow = await existingWorkflow(client, id, signal);
    if (folder && workflow.isArchived) {
      throw new AppError(
        'conflict',
        `"${workflow.name}" is archived, and n8n does not move archived workflows into folders. Nothing was moved.`,
      );
    }
    steps.push({ kind: 'workflow', id, name: workflow.name, workflow });
  }
  return {
    project: { id: project.id, ...(project.name !== undefined && { name: project.name }) },
    folder,
    steps,
    owners,
  };
}

async function folderOf(client: N8nClient, project: string, wanted: string, signal: AbortSignal) {
  const folders = placed(await Array.fromAsync(client.folders.all(project, signal)));
  return isTop(wanted) ? { id: null, path: '/' } : folderIn(folders, wanted);
}
