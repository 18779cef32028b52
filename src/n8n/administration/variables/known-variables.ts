import type { N8nClient } from '../../client/client.ts';
import type { Variable } from '../../client/variables.ts';
import { existingProject } from '../projects/known-projects.ts';

/** n8n allows letters, digits and `_`, at most 50, and no digit at the beginning. */
export const VARIABLE_KEY = /^[A-Za-z_]\w*$/;

export interface WantedVariable {
  readonly key: string;
  readonly project?: string | undefined;
}

/** The variable of this name, in the project or for the whole n8n, and the id of the project. */
export async function lookUpVariable(
  client: N8nClient,
  { key, project }: WantedVariable,
  signal: AbortSignal,
): Promise<{ variable: Variable | undefined; all: Variable[]; projectId: string | undefined }> {
  const all = await Array.fromAsync(client.variables.all(signal));
  const projectId = project === undefined ? undefined : (await existingProject(client, project, signal)).id;
  return { variable: all.find((one) => one.key === key && one.project?.id === projectId), all, projectId };
}
