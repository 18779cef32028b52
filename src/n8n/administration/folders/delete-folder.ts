import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { counted, quoted } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import { TOP_LEVEL } from '../../client/folders.ts';
import { n8nTool } from '../../tool.ts';
import { projectInput } from '../projects/project-input.ts';
import { folderIn, isTop, isWithin } from './folder-tree.ts';
import { folderInput, folderOutput, foldersOfProject } from './project-folders.ts';

export const deleteFolder = n8nTool({
  name: 'n8n_delete_folder',
  title: 'Delete folder',
  description:
    'Deletes a folder. With "transfer_to" its workflows and folders move there; without it n8n archives the workflows and deletes the folders in it.',
  effect: 'delete',
  phrases:
    'delete a folder; remove a folder of workflows; get rid of a directory; drop an empty folder; delete a folder but keep the workflows; dissolve a folder; folder is not needed any more; clean up folders; erase a subfolder; throw a folder away',
  tags: ['folders'],
  input: {
    project: projectInput,
    folder: folderInput,
    transfer_to: folderInput.optional().describe('Folder that gets its content; "/" is the top level'),
  },
  output: z.object({
    deleted: folderOutput,
    workflows: z.number().describe('How many workflows were in it, at every level'),
    folders: z.number(),
    transferred_to: z.string().optional().describe('The path of the folder that got them'),
  }),
  async preview(input, { client }, { signal }) {
    const { folder, counts, into } = await wanted(input, client, signal);
    const content = `${counted(counts.totalWorkflows, 'workflow')} and ${counted(counts.totalSubFolders, 'folder')}`;
    const then = into
      ? `Its content (${content}) moves to ${into.path === '/' ? 'the top level' : quoted(into.path)}.`
      : `n8n archives the workflows in it and deletes the folders in it: ${content}. "transfer_to" keeps them.`;
    return `It deletes the folder ${quoted(folder.path)} (${folder.id}). ${then}`;
  },
  async run(input, { client }, { signal }) {
    const { project, folder, counts, into } = await wanted(input, client, signal);
    signal.throwIfAborted();
    await client.folders.delete(project.id, folder.id, into?.id);
    return {
      deleted: { id: folder.id, name: folder.name, path: folder.path },
      workflows: counts.totalWorkflows,
      folders: counts.totalSubFolders,
      ...(into && { transferred_to: into.path }),
    };
  },
});

async function wanted(
  { project: given, folder: name, transfer_to }: { project: string; folder: string; transfer_to?: string | undefined },
  client: N8nClient,
  signal: AbortSignal,
) {
  const { project, folders } = await foldersOfProject(client, given, signal);
  const folder = folderIn(folders, name);
  const into =
    transfer_to === undefined
      ? undefined
      : isTop(transfer_to)
        ? { id: TOP_LEVEL, path: '/' }
        : folderIn(folders, transfer_to);
  if (into && 'name' in into && isWithin(folders, into, folder))
    throw new AppError(
      'invalid_input',
      'transfer_to is inside the folder to delete. Nothing was changed. Name another.',
    );
  return { project, folder, into, counts: await client.folders.counts(project.id, folder.id, signal) };
}
