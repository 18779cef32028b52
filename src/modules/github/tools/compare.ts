import { z } from 'zod';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { changedFile, changedFileOutput, fileInput, fileNamed, patchOffsetInput, shownFile } from '../changed-files.ts';
import { commit, commitOutput, shortSha, shownCommit } from '../shown-commit.ts';
import { cursorInput, githubTool, inRepo, moreOutput, refInput, repoInput, slashed } from '../tool.ts';

const comparison = z.object({
  status: z.string(),
  ahead_by: z.int(),
  behind_by: z.int(),
  total_commits: z.int(),
  merge_base_commit: z.object({ sha: z.string() }),
  commits: z.array(commit),
  files: z.array(changedFile).default([]),
});

const MOST_COMMITS = 5;
/** GitHub lists no more files than this. */
const MOST_FILES = 300;

export const compare = githubTool({
  name: 'github_compare',
  title: 'Compare branches or commits',
  description:
    'Compares two branches, tags or commits of a repository: commits that head has and base lacks, and the changed files with patches.',
  phrases:
    'compare two branches; diff between tags; what is on this branch that main does not have; is the branch behind main',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    base: refInput.describe('Branch, tag or commit to start from'),
    head: refInput.describe('Branch, tag or commit to compare'),
    file: fileInput,
    offset: patchOffsetInput,
    cursor: cursorInput,
  }),
  output: z.object({
    status: z.string().describe('ahead, behind, diverged or identical'),
    ahead: z.int().describe('Commits that only head has'),
    behind: z.int().describe('Commits that only base has'),
    merge_base: z.string(),
    commits: z.array(commitOutput).describe('The newest that head adds'),
    changed_files: z.int(),
    files: z.array(changedFileOutput),
    note: z.string().optional(),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { repo, base, head, file, offset } = asked;
    const { skip } = placeIn('github_compare', asked, cursor);
    const found = await github.json(comparison, inRepo(repo, 'compare', ...slashed(`${base}...${head}`)), {
      query: { per_page: 100 },
      signal,
      progress,
    });
    const about = {
      status: found.status,
      ahead: found.ahead_by,
      behind: found.behind_by,
      merge_base: shortSha(found.merge_base_commit.sha),
      changed_files: found.files.length,
      commits: skip === 0 && file === undefined ? found.commits.slice(-MOST_COMMITS).toReversed().map(shownCommit) : [],
      ...(found.files.length >= MOST_FILES && { note: `GitHub shows only the first ${MOST_FILES} files.` }),
    };
    if (file !== undefined) return { ...about, files: [shownFile(fileNamed(found.files, file), offset)] };
    const files = found.files.slice(skip, skip + 50).map((one) => shownFile(one));
    const count = files.length === 0 ? 0 : fittingItems(files, { ...about, cursor: 'x'.repeat(100) });
    const next = skip + count;
    return {
      ...about,
      files: files.slice(0, count),
      ...(next < found.files.length && { cursor: cursorFor('github_compare', asked, { skip: next }) }),
    };
  },
});
