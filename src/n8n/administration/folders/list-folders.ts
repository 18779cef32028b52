import { z } from 'zod';
import { n8nTool } from '../../tool.ts';
import { cursorOutput, pageInput, pageOf } from '../page.ts';
import { projectInput } from '../projects/project-input.ts';
import { folderOutput, foldersOfProject } from './project-folders.ts';

const NAME = 'n8n_list_folders';

export const listFolders = n8nTool({
  name: NAME,
  title: 'List folders',
  description: 'Lists the folders of a project with path, id and the number of workflows in each.',
  effect: 'read',
  phrases:
    'list folders; which folders are in the project; show the folder tree; how are workflows sorted into folders; folder ids; subfolders; what folders do we have in n8n; where could i put this workflow; folder structure; empty folders; directories of workflows; path of a folder',
  tags: ['folders'],
  input: {
    project: projectInput,
    text: z.string().min(1).max(200).optional().describe('Part of the path, ignoring case'),
    ...pageInput,
  },
  output: z.object({
    project: z.object({ id: z.string(), name: z.string().optional() }),
    folders: z.array(folderOutput.extend({ workflows: z.number().optional(), folders: z.number().optional() })),
    total: z.number(),
    cursor: cursorOutput,
  }),
  async run({ project: wanted, text, ...page }, { client }, { signal }) {
    const { project, folders } = await foldersOfProject(client, wanted, signal);
    const part = text?.toLowerCase() ?? '';
    const rows = folders
      .filter(({ path }) => path.toLowerCase().includes(part))
      .map(({ id, name, path, workflowCount, subFolderCount }) => ({
        id,
        name,
        path,
        ...(workflowCount !== undefined && { workflows: workflowCount }),
        ...(subFolderCount !== undefined && subFolderCount > 0 && { folders: subFolderCount }),
      }));
    const head = { project, total: rows.length };
    const { items, ...rest } = pageOf(NAME, { instance: client.name, project: project.id, text }, rows, page, head);
    return { ...head, folders: items, ...rest };
  },
});
