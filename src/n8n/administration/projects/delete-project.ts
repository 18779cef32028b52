import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { quoted } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Project } from '../../client/projects.ts';
import { n8nTool } from '../../tool.ts';
import { transferWithLogin } from '../transfer-with-login.ts';
import { contentsOf, inWords } from './contents.ts';
import { deleteWithWorkflows } from './delete-with-workflows.ts';
import { backupsOutput, keepWorkflows, shownBackups } from './keep-workflows.ts';
import { projectIn } from './known-projects.ts';
import { projectInput, projectOutput } from './project-input.ts';

export const deleteProject = n8nTool({
  name: 'n8n_delete_project',
  title: 'Delete project',
  description:
    'Deletes a team project with its workflows, credentials, folders and data tables. Workflows are backed up first. With "transfer_to" another project gets everything; that needs n8n.NAME.login in the configuration.',
  effect: 'delete',
  phrases:
    'delete a project; remove a team project; close a project; get rid of an n8n project; dissolve a project and hand its workflows over; the team is gone, delete its project; remove a project but keep its workflows; merge a project into another; drop a project; erase a project with everything in it; this project is not needed any more; shut down a project; wind up a team project; delete an empty project',
  tags: ['projects'],
  input: { project: projectInput, transfer_to: projectInput.optional().describe('Project that gets everything in it') },
  output: z.object({
    deleted: projectOutput,
    transferred_to: projectOutput.optional(),
    ...backupsOutput,
  }),
  async preview(input, { client }, { signal }) {
    const { project, target } = await wanted(input, client, signal);
    const contents = inWords(await contentsOf(client, project.id, signal));
    const what = `It deletes the project ${quoted(project.name)} (${project.id}).`;
    return target
      ? `${what} ${quoted(target.name)} (${target.id}) gets its contents: ${contents}.`
      : `${what} Everything in it is deleted, too: ${contents}. A backup of each workflow is kept; credentials and data tables are lost. "transfer_to" keeps them.`;
  },
  async run(input, { client, backups }, { signal }, progress) {
    const { project, target } = await wanted(input, client, signal);
    const deleted = { id: project.id, name: project.name };
    if (target) {
      await transferWithLogin(client, `/projects/${encodeURIComponent(project.id)}`, target.id);
      return { deleted, transferred_to: { id: target.id, name: target.name } };
    }
    const contents = await contentsOf(client, project.id, signal);
    const kept = await keepWorkflows(client, backups, contents, signal, progress);
    signal.throwIfAborted();
    await deleteWithWorkflows(client, contents, 'project:delete', () => client.projects.delete(project.id));
    return { deleted, ...shownBackups(kept) };
  },
});

async function wanted(
  { project, transfer_to }: { project: string; transfer_to?: string | undefined },
  client: N8nClient,
  signal: AbortSignal,
): Promise<{ project: Project; target: Project | undefined }> {
  const all = await Array.fromAsync(client.projects.all(signal));
  const found = projectIn(all, project);
  if (found.type === 'personal') {
    throw new AppError(
      'invalid_input',
      `"${found.name}" is the personal project of a user. n8n_delete_user deletes the user with it.`,
    );
  }
  const target = transfer_to === undefined ? undefined : projectIn(all, transfer_to);
  if (target?.id === found.id)
    throw new AppError('invalid_input', 'A project cannot get its own contents. Name another one in transfer_to.');
  return { project: found, target };
}
