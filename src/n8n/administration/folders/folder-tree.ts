import { AppError } from '../../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import { someOf } from '../../../kernel/some-of.ts';
import type { Folder } from '../../client/folders.ts';

/** A folder with its place in the project: `Reports/2026`. */
export interface PlacedFolder extends Folder {
  readonly path: string;
}

/** The folders with their paths, in the order of the paths. */
export function placed(folders: readonly Folder[]): PlacedFolder[] {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  const pathOf = (folder: Folder): string => {
    const names = [folder.name];
    const seen = new Set([folder.id]);
    for (let parent = folder.parentFolder?.id; parent !== undefined; ) {
      const above = byId.get(parent);
      if (!above || seen.has(parent)) break;
      seen.add(parent);
      names.unshift(above.name);
      parent = above.parentFolder?.id;
    }
    return names.join('/');
  };
  return folders.map((folder) => ({ ...folder, path: pathOf(folder) })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether the top level of a project is meant, not a folder in it. */
export const isTop = (given: string): boolean => given === '/' || given === '';

/** The folder with this id, this path, or this name if only one has it. */
export function folderIn(folders: readonly PlacedFolder[], wanted: string): PlacedFolder {
  const path = wanted.replace(/^\/+|\/+$/g, '').toLowerCase();
  const byPlace = folders.filter((one) => one.id === wanted || one.path.toLowerCase() === path);
  const found = byPlace.length > 0 ? byPlace : folders.filter(({ name }) => name.toLowerCase() === path);
  if (found.length === 1) return found[0] as PlacedFolder;
  if (found.length > 1) {
    const places = found.map((one) => `"${one.path}" (${one.id})`);
    throw new AppError(
      'conflict',
      `${found.length} folders are called "${shown(wanted)}". Nothing was changed. Use a path or an id: ${someOf(places)}.`,
    );
  }
  const near = nearestNames(
    wanted,
    folders.map((one) => one.path),
  );
  throw new AppError(
    'not_found',
    `No folder "${shown(wanted)}" in this project. Nothing was changed. ${didYouMean(inQuotes(near), 'n8n_list_folders shows them.')}`,
  );
}
