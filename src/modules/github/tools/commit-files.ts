import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { base64Of, branchInput, contentInput, encodingInput, messageInput, writtenPath } from '../commit-input.ts';
import type { Progress } from '../../../kernel/progress.ts';
import type { GitHub, Question } from '../connection.ts';
import { headOf } from '../refs.ts';
import { githubTool, inRepo, repoInput, slashed } from '../tool.ts';

const object = z.object({ sha: z.string() });
const commit = z.object({ tree: object });

const file = z.strictObject({
  path: writtenPath,
  content: contentInput.optional().describe('The whole content'),
  encoding: encodingInput,
  executable: z.boolean().default(false),
  delete: z.boolean().default(false).describe('Instead of content'),
});

export const commitFiles = githubTool({
  name: 'github_commit_files',
  title: 'Commit several files',
  description:
    'Writes and deletes several files of a branch in one commit: all of them or none. Read files first that you replace.',
  phrases: 'commit several files at once; push changes to a branch; one commit with many files',
  effect: 'update',
  input: z.strictObject({
    repo: repoInput,
    branch: branchInput.describe('It must exist: github_create_branch'),
    message: messageInput,
    files: z.array(file).min(1).max(100).describe('Files to write or delete'),
    head: z
      .string()
      .regex(/^[0-9a-f]{7,64}$/, 'must be the sha of a commit')
      .optional()
      .describe('Only if this is still the last commit of the branch'),
  }),
  output: z.object({
    repo: z.string(),
    branch: z.string(),
    commit: z.string(),
    written: z.array(z.string()).describe('The first paths'),
    deleted: z.array(z.string()),
    count: z.int(),
  }),
  async run({ repo, branch, message, files, head: expected }, github, { signal }, progress) {
    const asking = { signal };
    needSound(files);
    const head = await headOf(github, repo, branch, asking);
    if (expected !== undefined && !head.startsWith(expected))
      throw new AppError(
        'conflict',
        `${branch} has moved: its last commit is ${head}, not ${expected}. Nothing was changed: look at github_compare, then try again.`,
      );
    const base = await github.json(commit, inRepo(repo, 'git', 'commits', head), asking);
    const tree = [];
    for (const [done, one] of files.entries()) {
      const total = files.length + 1;
      progress(done + 1, total, one.path);
      // Its number must rise, even if the call has to wait meanwhile.
      const waits: Progress = (turn, _, message) => progress(done + 1 + turn / 1000, total, message);
      tree.push(await treeItem(github, repo, one, { signal, progress: waits }));
    }
    const post = (kind: string, body: object) =>
      github.json(object, inRepo(repo, 'git', kind), { method: 'POST', body, ...asking });
    const { sha: newTree } = await post('trees', { base_tree: base.tree.sha, tree });
    if (newTree === base.tree.sha)
      throw new AppError('conflict', `${branch} already has these files as they are. Nothing was committed.`);
    const { sha } = await post('commits', { message, tree: newTree, parents: [head] });
    await moved(github, repo, branch, sha, asking);
    const paths = (isDeleted: boolean) =>
      files
        .filter((one) => one.delete === isDeleted)
        .map(({ path }) => path.slice(0, 100))
        .slice(0, 15);
    return { repo, branch, commit: sha, written: paths(false), deleted: paths(true), count: files.length };
  },
});

type File = z.output<typeof file>;

function needSound(files: readonly File[]): void {
  const seen = new Set<string>();
  for (const { path, content, delete: isDeleted } of files) {
    if (seen.has(path)) throw new AppError('invalid_input', `${path} is named twice. Nothing was changed.`);
    seen.add(path);
    if ((content === undefined) !== isDeleted)
      throw new AppError('invalid_input', `${path} needs either content or delete: true. Nothing was changed.`);
  }
}

/** Text goes along with the tree; other content becomes a blob first. */
async function treeItem(github: GitHub, repo: string, one: File, asking: Pick<Question, 'signal' | 'progress'>) {
  const { path, content = '', encoding, executable } = one;
  const item = { path, mode: executable ? '100755' : '100644', type: 'blob' };
  if (one.delete) return { ...item, sha: null };
  if (encoding === 'utf-8') return { ...item, content };
  const { sha } = await github.json(object, inRepo(repo, 'git', 'blobs'), {
    method: 'POST',
    body: { content: base64Of(content, encoding, path), encoding },
    ...asking,
  });
  return { ...item, sha };
}

/** Never forced: what others pushed meanwhile stays. */
async function moved(
  github: GitHub,
  repo: string,
  branch: string,
  sha: string,
  asking: Pick<Question, 'signal' | 'progress'>,
) {
  try {
    await github.json(z.unknown(), inRepo(repo, 'git', 'refs', 'heads', ...slashed(branch)), {
      method: 'PATCH',
      body: { sha, force: false },
      ...asking,
    });
  } catch (error) {
    if (!(error instanceof AppError) || !/fast.forward/i.test(error.message)) throw error;
    throw new AppError(
      'conflict',
      `Somebody pushed to ${branch} meanwhile, and nothing was changed. Look at the new commits, then try again.`,
      { cause: error },
    );
  }
}
