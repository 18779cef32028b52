import { z } from 'zod';
import type { N8nClient } from '../../client/client.ts';
import type { Project } from '../../client/projects.ts';
import { unlessRefused } from '../refused.ts';
import { projectIn } from '../projects/known-projects.ts';
import { type PlacedFolder, placed } from './folder-tree.ts';

export const folderInput = z
  .string()
  .trim()
  .min(1)
  .max(2000)
  .describe('Folder path or id: Reports/2026; n8n_list_folders shows them');

/** What n8n allows: no `/` and a few others, and no dot at the beginning. */
export const folderNameInput = z
  .string()
  .trim()
  .min(1)
  .max(128)
  .regex(
    /^[^.[\]^\\/:*?"<>|][^[\]^\\/:*?"<>|]*$/,
    'has a character that n8n does not allow in the name of a folder: [ ] ^ \\ / : * ? " < > |, or a dot at its beginning',
  );

export const folderOutput = z.object({ id: z.string(), name: z.string(), path: z.string() });

export interface ProjectFolders {
  readonly project: Pick<Project, 'id'> & { readonly name?: string };
  readonly folders: PlacedFolder[];
}

/** The folders of a project. If the licence has folders but no list of projects, an id is taken as it is. */
export async function foldersOfProject(
  client: N8nClient,
  wanted: string,
  signal: AbortSignal,
): Promise<ProjectFolders> {
  const projects = await unlessRefused(Array.fromAsync(client.projects.all(signal)));
  const project = projects ? projectIn(projects, wanted) : { id: wanted };
  const folders = await Array.fromAsync(client.folders.all(project.id, signal));
  return { project: { id: project.id, ...('name' in project && { name: project.name }) }, folders: placed(folders) };
}
