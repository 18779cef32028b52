import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { TOP_LEVEL } from '../../client/folders.ts';
import { n8nTool } from '../../tool.ts';
import { projectInput } from '../projects/project-input.ts';
import { folderIn, isTop, isWithin } from './folder-tree.ts';
import { folderInput, folderNameInput, folderOutput, foldersOfProject } from './project-folders.ts';

export const updateFolder = n8nTool({
  name: 'n8n_update_folder',
  title: 'Change workflow folder',
  description: 'Renames a folder of workflows, or puts it with everything in it below another one of the same project.',
  effect: 'update',
  phrases:
    'rename a workflow folder; put a workflow folder below a different one; change the name of an n8n folder; put a workflow folder to the top level; reorganise the folders of a project; n8n folder should be called differently; nest a workflow folder; update an n8n folder; new name for a folder of workflows; the folder of the project sits in the wrong place',
  tags: ['folders'],
  input: {
    project: projectInput,
    folder: folderInput,
    name: folderNameInput.optional().describe('The new name'),
    parent: folderInput.optional().describe('Folder to move it to; "/" is the top level'),
  },
  output: folderOutput.extend({ was: z.string().describe('Its path before') }),
  async run({ project: wanted, folder: given, name, parent }, { client }, { signal }) {
    if (name === undefined && parent === undefined)
      throw new AppError('invalid_input', 'Say what to change: "name", "parent" or both.');
    const { project, folders } = await foldersOfProject(client, wanted, signal);
    const folder = folderIn(folders, given);
    const above = parent === undefined || isTop(parent) ? undefined : folderIn(folders, parent);
    if (above && isWithin(folders, above, folder))
      throw new AppError('invalid_input', `"${folder.path}" cannot move into itself. Nothing was changed.`);
    const body = {
      ...(name !== undefined && { name }),
      ...(parent !== undefined && { parentFolderId: above?.id ?? TOP_LEVEL }),
    };
    signal.throwIfAborted();
    const saved = await client.folders.update(project.id, folder.id, body);
    const over = parent === undefined ? folder.path.split('/').slice(0, -1).join('/') : (above?.path ?? '');
    return {
      id: saved.id,
      name: saved.name,
      path: over === '' ? saved.name : `${over}/${saved.name}`,
      was: folder.path,
    };
  },
});
