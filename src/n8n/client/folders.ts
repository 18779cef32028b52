import { z } from 'zod';
import type { N8nHttp } from './http.ts';

const folderShape = z.looseObject({
  id: z.string(),
  name: z.string().default(''),
  parentFolder: z.looseObject({ id: z.string() }).nullish(),
  workflowCount: z.number().optional(),
  subFolderCount: z.number().optional(),
});

const savedShape = z.looseObject({ id: z.string(), name: z.string(), parentFolderId: z.string().nullish() });

const countsShape = z.looseObject({ id: z.string(), totalSubFolders: z.number(), totalWorkflows: z.number() });

export type Folder = z.output<typeof folderShape>;

/** n8n's id for the top level of a project. */
export const TOP_LEVEL = '0';

const PER_PAGE = 100;
const FIELDS = JSON.stringify(['id', 'name', 'parentFolder', 'workflowCount', 'subFolderCount']);

export function foldersOf(http: N8nHttp) {
  const at = (project: string, folder?: string) =>
    `/api/v1/projects/${encodeURIComponent(project)}/folders${folder === undefined ? '' : `/${encodeURIComponent(folder)}`}`;
  const listShape = z.object({ count: z.number(), data: z.array(folderShape) });

  return {
    /** All folders of a project, at every level. Unlike other lists of n8n, this one is paged by position. */
    async *all(project: string, signal?: AbortSignal): AsyncGenerator<Folder, void, undefined> {
      for (let skip = 0; ; skip += PER_PAGE) {
        const query = { select: FIELDS, sortBy: 'name:asc', skip: String(skip), take: String(PER_PAGE) };
        const page = listShape.parse(await http.ask('GET', at(project), { query, ...(signal && { signal }) }));
        yield* page.data;
        if (page.data.length < PER_PAGE || skip + PER_PAGE >= page.count) return;
      }
    },
    /** Counts the folders and workflows at every level below. */
    counts: async (project: string, folder: string, signal?: AbortSignal) =>
      countsShape.parse(await http.ask('GET', at(project, folder), signal ? { signal } : {})),
    create: async (project: string, body: { name: string; parentFolderId?: string }, signal?: AbortSignal) =>
      savedShape.parse(await http.ask('POST', at(project), { body, ...(signal && { signal }) })),
    update: async (
      project: string,
      folder: string,
      body: { name?: string; parentFolderId?: string },
      signal?: AbortSignal,
    ) => savedShape.parse(await http.ask('PATCH', at(project, folder), { body, ...(signal && { signal }) })),
    /** With `into`, keeps the content there. Without it, n8n archives the workflows and deletes the folders below. */
    async delete(project: string, folder: string, into?: string, signal?: AbortSignal): Promise<void> {
      const query = { transferToFolderId: into };
      await http.ask('DELETE', at(project, folder), { query, ...(signal && { signal }) });
    },
  };
}
