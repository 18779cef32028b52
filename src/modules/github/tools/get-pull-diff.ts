import { z } from 'zod';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { AppError } from '../../../kernel/errors.ts';
import { type ChangedFile, changedFile } from '../changed-files.ts';
import type { GitHub, Question } from '../connection.ts';
import { type FileDiff, filesIn } from '../diff/files-in.ts';
import { fittedDiff } from '../diff/fitted.ts';
import { numberInput } from '../issue-input.ts';
import { nextIn } from '../page.ts';
import { refusalIn } from '../refusal.ts';
import { cursorInput, githubTool, inRepo, repoInput } from '../tool.ts';

const TOOL = 'github_get_pull_diff';
/** GitHub makes no diffs of more than 20,000 lines. */
const MOST_BYTES = 32 * 1024 * 1024;
/** GitHub lists at most 3,000 files. */
const MOST_PAGES = 30;

type Asked = Pick<Question, 'signal' | 'progress'>;

export const getPullDiff = githubTool({
  name: TOOL,
  title: 'Get the diff of a pull request',
  description: 'Shows what a pull request changes, file by file, as a unified diff; long ones over several answers.',
  phrases: 'diff of a pull request; what does this PR change; review the code of a PR; changes of one file in a PR',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    number: numberInput,
    path: z.string().min(1).max(1000).optional().describe('Only this file, or with / at the end this folder'),
    cursor: cursorInput,
  }),
  output: z.object({
    files: z.array(
      z.object({
        path: z.string(),
        status: z.string(),
        previous_path: z.string().optional(),
        from_line: z.int().optional().describe('Lines of its diff before this one were in the answer before'),
        diff: z.string(),
        lines_left: z.int().optional().describe('Of its diff, in the next answer'),
      }),
    ),
    total_files: z.int(),
    cursor: z.string().optional().describe('For the rest'),
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { repo, number, path } = asked;
    const { next: file = '0', skip: line } = placeIn(TOOL, asked, cursor);
    const all = await read(github, { repo, number, path }, { signal, progress });
    const files = path === undefined ? all : all.filter((one) => isIn(one, path));
    if (files.length === 0 && path !== undefined)
      throw new AppError(
        'not_found',
        `${repo}#${number} does not change ${path}. github_list_pull_files shows the files that it changes.`,
      );
    const from = { file: Math.max(0, Number.parseInt(file, 10) || 0), line };
    const { shown, next } = fittedDiff(files, from, { total_files: files.length, cursor: 'x'.repeat(100) });
    return {
      files: shown,
      total_files: files.length,
      ...(next && { cursor: cursorFor(TOOL, asked, { next: String(next.file), skip: next.line }) }),
    };
  },
});

const isIn = ({ path, previous }: Pick<FileDiff, 'path' | 'previous'>, wanted: string): boolean =>
  wanted.endsWith('/') ? path.startsWith(wanted) : path === wanted || previous === wanted;

interface Wanted {
  readonly repo: string;
  readonly number: number;
  readonly path: string | undefined;
}

async function read(github: GitHub, { repo, number, path }: Wanted, asked: Asked): Promise<FileDiff[]> {
  const at = inRepo(repo, 'pulls', String(number));
  try {
    return filesIn(
      await github.text(at, {
        headers: { accept: 'application/vnd.github.diff' },
        mostBytes: MOST_BYTES,
        ...asked,
      }),
    );
  } catch (error) {
    const isTooLarge = refusalIn(error)?.status === 406 || (error instanceof AppError && error.code === 'too_large');
    if (!isTooLarge) throw error;
    if (path !== undefined) return await fromFiles(github, [...at, 'files'], path, asked);
    throw new AppError(
      'too_large',
      `${repo}#${number} is too large: GitHub makes no diff of it as a whole. List its files with github_list_pull_files, then ask for one with path.`,
      { cause: error },
    );
  }
}

/** The list of files has the diff of each, as far as it is not too large itself. */
async function fromFiles(github: GitHub, at: readonly string[], wanted: string, asked: Asked): Promise<FileDiff[]> {
  const found: FileDiff[] = [];
  for (let page = 1; page <= MOST_PAGES; page += 1) {
    const { data, headers } = await github.answer(z.array(changedFile), at, {
      query: { per_page: 100, page },
      ...asked,
    });
    found.push(...data.map(diffOf).filter((one) => isIn(one, wanted)));
    const isFound = found.length > 0 && !wanted.endsWith('/');
    if (isFound || nextIn(headers.link) === undefined) return found;
  }
  return found;
}

function diffOf({ filename, status, previous_filename, patch }: ChangedFile): FileDiff {
  return {
    path: filename,
    status: status === 'added' || status === 'removed' || status === 'renamed' ? status : 'modified',
    ...(previous_filename && { previous: previous_filename }),
    lines: patch?.split('\n') ?? ['(binary file, unchanged content, or too large for a diff)'],
  };
}
