import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { AppError } from '../../../kernel/errors.ts';
import { harmless } from '../../../kernel/harmless.ts';
import { fileTrouble } from '../../../kernel/file-errors.ts';
import { nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { Template, TemplateSummary } from '../template.ts';
import { line } from '../text.ts';
import { templateIn } from './parse.ts';

const MOST_FILES = 5000;
const MOST_BYTES = 5 * 1024 * 1024;
const DEEPEST = 20;
/** Files and folders of any kind. A folder with more is hardly meant as a library. */
const MOST_ENTRIES = 100_000;
/** Tools take ids of 500 characters. */
const LONGEST_ID = 500;
/** A look at the folder may take this share of the time, so that searches stay fast in a large one. */
const SHARE = 1 / 50;

/** A folder of workflow files. */
export interface OwnLibrary {
  readonly name: string;
  /** What is in the folder now. The same list until something changes. */
  templates(): Promise<{ readonly templates: readonly TemplateSummary[]; readonly trouble?: string }>;
  /** `path` is the rest of the id, after the name of the library. */
  get(path: string): Promise<Template>;
}

interface Known {
  readonly stamp: string;
  readonly summary?: TemplateSummary;
  readonly problem?: string;
}

export function ownLibrary(
  name: string,
  folder: string,
  /** Called once for each file that cannot be used, and again after it changed. */
  report: (message: string) => void,
): OwnLibrary {
  let files = new Map<string, Known>();
  let templates: readonly TemplateSummary[] = [];
  let trouble: string | undefined;
  let looking: Promise<void> | undefined;
  let nextLook = 0;

  async function look(): Promise<void> {
    const started = performance.now();
    const found = await filesIn(folder);
    trouble = 'trouble' in found ? `The template library ${name} (${folder}) ${found.trouble}.` : undefined;
    const next = new Map<string, Known>();
    let changed = false;
    const ids = new Map<string, string>();
    for (const { path, stamp, bytes } of 'files' in found ? found.files : []) {
      const before = files.get(path);
      const same = ids.get(idOf(path));
      const named = same === undefined ? stamp : `${stamp} after ${same}`;
      const now = before?.stamp === named ? before : await read(path, named, bytes, same);
      ids.set(idOf(path), path);
      changed ||= now !== before;
      next.set(path, now);
    }
    changed ||= next.size !== files.size;
    files = next;
    if (changed) templates = [...next.values()].flatMap(({ summary }) => (summary ? [summary] : []));
    if ('more' in found && found.more)
      trouble = `The template library ${name} has more than ${MOST_FILES} workflow files or ${MOST_ENTRIES} files in all; only the first ${found.files.length} are searched.`;
    nextLook = performance.now() + (performance.now() - started) / SHARE;
  }

  const idOf = (path: string): string => `${name}/${asId(path).replace(/\.json$/i, '')}`;

  async function read(path: string, stamp: string, bytes: number, same: string | undefined): Promise<Known> {
    const result =
      bytes > MOST_BYTES
        ? { problem: `has more than ${MOST_BYTES / 1024 / 1024} MB` }
        : same !== undefined
          ? { problem: `has the same id as ${shown(line(same, 200))}` }
          : !isId(idOf(path))
            ? {
                problem:
                  'has a path that is too long for an id, begins or ends with a space, or has control characters',
              }
            : await readFile(join(folder, path), 'utf8').then(
                (text) => templateIn(text, name, idOf(path)),
                (error: unknown) => ({ problem: fileTrouble(error) }),
              );
    if ('problem' in result) {
      report(`The template library ${name} leaves out ${shown(line(path, 200))}: it ${result.problem}.`);
      return { stamp, problem: result.problem };
    }
    if ('other' in result) return { stamp };
    const { workflow: _, ...summary } = result.template;
    return { stamp, summary };
  }

  async function templatesNow() {
    if (performance.now() >= nextLook)
      await (looking ??= look().finally(() => {
        looking = undefined;
      }));
    return { templates, ...(trouble !== undefined && { trouble }) };
  }

  return {
    name,
    templates: templatesNow,
    async get(path) {
      // Only files that the search sees: an id cannot lead out of the folder.
      nextLook = 0;
      await templatesNow();
      const named = [...files.keys()];
      const file = named.find((one) => idOf(one) === `${name}/${path}`) ?? named.find((one) => asId(one) === path);
      const known = file === undefined ? undefined : files.get(file);
      if (file === undefined || known?.summary === undefined) {
        const why = known?.problem === undefined ? '' : ` The file ${known.problem}.`;
        const ids = templates.map(({ id }) => id);
        const near = nearestNames(`${name}/${path}`, ids);
        const advice = near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : '';
        throw new AppError(
          'not_found',
          `The template library ${name} has no template ${shown(path)}.${why}${advice} n8n_search_templates {"library": "${name}"} lists what it has.`,
        );
      }
      const text = await readFile(join(folder, file), 'utf8').catch(() => '');
      const result = templateIn(text, name, idOf(file));
      if ('template' in result) return result.template;
      throw new AppError('conflict', `${known.summary.id} changed while it was read. Try again.`);
    },
  };
}

/** Ids have slashes on every platform. */
const asId = (path: string): string => path.split(sep).join('/');

const isId = (id: string): boolean =>
  id.length <= LONGEST_ID && id.trim() === id && harmless(id) === id && !/[\n\t]/.test(id);

interface Seen {
  readonly path: string;
  readonly stamp: string;
  readonly bytes: number;
}

/** Every JSON file below the folder, by path. Links are not followed: they could lead out of it, or in circles. */
async function filesIn(folder: string): Promise<{ files: Seen[]; more: boolean } | { trouble: string }> {
  const seen: Seen[] = [];
  let more = false;
  let count = 0;
  async function walk(at: string, depth: number): Promise<void> {
    const entries = await readdir(at, { withFileTypes: true });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      more ||= ++count > MOST_ENTRIES;
      if (more) return;
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const path = join(at, entry.name);
      if (entry.isDirectory() && depth < DEEPEST) await walk(path, depth + 1).catch(() => {});
      if (!entry.isFile() || !/\.json$/i.test(entry.name)) continue;
      if (seen.length >= MOST_FILES) {
        more = true;
        return;
      }
      const found = await stat(path).catch(() => undefined);
      if (found) seen.push({ path: relative(root, path), stamp: `${found.mtimeMs}-${found.size}`, bytes: found.size });
    }
  }
  let root = folder;
  try {
    root = await realpath(folder);
    await walk(root, 0);
    return { files: seen, more };
  } catch (error) {
    return { trouble: fileTrouble(error) };
  }
}
