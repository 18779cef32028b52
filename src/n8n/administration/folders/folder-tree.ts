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
  const pathOf = (folder: Folder): string =>
    [...lineage(byId, folder)]
      .map(({ name }) => name)
      .toReversed()
      .join('/');
  return folders.map((folder) => ({ ...folder, path: pathOf(folder) })).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Whether a folder is another one or in it. Two folders may have the same path, so paths do not tell. */
export function isWithin(folders: readonly Folder[], inner: Folder, outer: Folder): boolean {
  const byId = new Map(folders.map((folder) => [folder.id, folder]));
  return [...lineage(byId, inner)].some(({ id }) => id === outer.id);
}

/** A folder and those above it, from the inside out. */
function* lineage(byId: ReadonlyMap<string, Folder>, folder: Folder): Generator<Folder> {
  const seen = new Set<string>();
  for (let at: Folder | undefined = folder; at && !seen.has(at.id); at = byId.get(at.parentFolder?.id ?? '')) {
    seen.add(at.id);
    yield at;
  }
}

/** Whether the top level of a project is meant, not a folder in it. */
export const isTop = (given: string): boolean => given === '/' || given === '';

/** The folder with this id, this path, or this name if only one has it. Ids win, then the exact path. */
export function folderIn(folders: readonly PlacedFolder[], wanted: string): PlacedFolder {
  const exact = wanted.replace(/^\/+|\/+$/g, '');
  const path = exact.toLowerCase();
  const found =
    [
      (one: PlacedFolder) => one.id === wanted,
      (one: PlacedFolder) => one.path === exact,
      (one: PlacedFolder) => one.path.toLowerCase() === path,
      ({ name }: PlacedFolder) => name.toLowerCase() === path,
    ]
      .map((isMeant) => folders.filter(isMeant))
      .find(({ length }) => length > 0) ?? [];
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
