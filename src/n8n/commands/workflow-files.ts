import { fileTrouble } from '../../kernel/file-errors.ts';
import { readdir, readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isRecord } from '../../validation/json/record.ts';
import { readWorkflow } from '../../validation/subject/read-workflow.ts';
import { UsageError } from '../../cli/frame.ts';
import { SIDE_FOLDER } from '../as-code/side-file.ts';

/** A workflow in a file. */
export interface WorkflowFile {
  /** As named on the command line; `stdin` for stdin. */
  readonly file: string;
  readonly uri: string;
  readonly text: string;
  /** The workflow: the parsed text, or one entry of a list. */
  readonly document: unknown;
  /** Its JSON pointer in the file. */
  readonly at: string;
  /** The names of the files beside it, if `sluice n8n pull` and `push` keep the folder: the files then refer to each other. */
  readonly beside?: ReadonlySet<string>;
}

/** Every workflow in these files. For a directory, every JSON file that looks like a workflow. `-` is stdin. */
export async function workflowFiles(
  names: readonly string[],
  cwd: string,
  input: () => Promise<string>,
): Promise<WorkflowFile[]> {
  const found: WorkflowFile[] = [];
  for (const name of names) {
    if (name === '-') found.push(...workflowsIn('stdin', 'stdin', await input()));
    else found.push(...(await filesAt(name, cwd)));
  }
  return found;
}

async function filesAt(name: string, cwd: string): Promise<WorkflowFile[]> {
  const path = resolve(cwd, name);
  try {
    if (!(await stat(path)).isDirectory()) {
      const files = workflowsIn(name, uriOf(path, cwd), await readFile(path, 'utf8'));
      return withNeighbours(files, await neighboursOf(dirname(path)));
    }
    const inside = (await readdir(path, { recursive: true, encoding: 'utf8' }))
      .filter((file) => file.endsWith('.json') && !file.split(sep).some(isPassedOver))
      .sort();
    if (inside.length === 0) throw new UsageError(`${name} has no .json file in it`);
    const folders = new Map<string, Promise<ReadonlySet<string> | undefined>>();
    const files = await Promise.all(
      inside.map(async (file) => {
        const whole = join(path, file);
        const beside = folders.get(dirname(whole)) ?? neighboursOf(dirname(whole));
        folders.set(dirname(whole), beside);
        const found = workflowsIn(join(name, file), uriOf(whole, cwd), await readFile(whole, 'utf8'));
        return withNeighbours(found, await beside);
      }),
    );
    return files.flat().filter(({ document }) => looksLikeOne(document));
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (error instanceof UsageError || code === undefined) throw error;
    throw new UsageError(`${name} ${fileTrouble(error)}`);
  }
}

/** Undefined unless the folder has a side file. */
async function neighboursOf(folder: string): Promise<ReadonlySet<string> | undefined> {
  const sides = await readdir(join(folder, SIDE_FOLDER)).catch(() => []);
  return sides.some((side) => side.endsWith('.json')) ? new Set(await readdir(folder)) : undefined;
}

const withNeighbours = (files: readonly WorkflowFile[], beside: ReadonlySet<string> | undefined): WorkflowFile[] =>
  files.map((file) => ({ ...file, ...(beside && { beside }) }));

const isPassedOver = (folder: string) => folder === 'node_modules' || folder.startsWith('.');

/** Directories hold other JSON too. A file that cannot be parsed is kept: it may be a broken workflow. */
function looksLikeOne(document: unknown): boolean {
  const read = readWorkflow(document);
  if (!read.workflow) return read.unparsed === true;
  return Object.hasOwn(read.workflow, 'nodes') || Object.hasOwn(read.workflow, 'connections');
}

/** `n8n export:workflow --all` writes a list of workflows. */
function workflowsIn(file: string, uri: string, text: string): WorkflowFile[] {
  const parsed = parse(text);
  const isList =
    Array.isArray(parsed) && parsed.length > 1 && parsed.every((one) => isRecord(one) && Object.hasOwn(one, 'nodes'));
  if (isList) {
    return (parsed as unknown[]).map((document, index) => ({ file, uri, text, document, at: `/${index}` }));
  }
  return [{ file, uri, text, document: text, at: '' }];
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as unknown;
  } catch {
    return undefined;
  }
}

/** Relative to the working directory, as code hosts expect in SARIF. */
function uriOf(path: string, cwd: string): string {
  const near = relative(cwd, path);
  if (near.startsWith('..') || resolve(near) === near) return pathToFileURL(path).href;
  return near.split(sep).map(encodeURIComponent).join('/');
}
