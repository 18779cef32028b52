import { n8nTool } from '../../tool.ts';
import { projectInput } from '../projects/project-input.ts';
import { folderIn } from './folder-tree.ts';
import { folderInput, folderNameInput, folderOutput, foldersOfProject } from './project-folders.ts';

export const createFolder = n8nTool({
  name: 'n8n_create_folder',
  title: 'Create folder',
  description: 'Creates a folder in a project, at its top level or in another folder. n8n_move puts workflows into it.',
  effect: 'create',
  phrases:
    'create a folder; new folder for workflows; make a subfolder; add a directory in n8n; i need a folder for these flows; set up a folder in a project; make a place to sort workflows into; mkdir in n8n; folder of workflows inside another one; a further workflow folder',
  tags: ['folders'],
  input: {
    project: projectInput,
    name: folderNameInput.describe('Its name'),
    parent: folderInput.optional().describe('Folder in which to create it. Default: the top level'),
  },
  output: folderOutput,
  async run({ project: wanted, name, parent }, { client }, { signal }) {
    const { project, folders } = await foldersOfProject(client, wanted, signal);
    const above = parent === undefined ? undefined : folderIn(folders, parent);
    signal.throwIfAborted();
    const made = await client.folders.create(project.id, { name, ...(above && { parentFolderId: above.id }) });
    return { id: made.id, name: made.name, path: above ? `${above.path}/${made.name}` : made.name };
  },
});
