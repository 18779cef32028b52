import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { changedFile, changedFileOutput, fileInput, fileNamed, patchOffsetInput, shownFile } from '../changed-files.ts';
import type { GitHub, Path, Question } from '../connection.ts';
import { maybe } from '../lenient.ts';
import { nextIn, pageOf } from '../page.ts';
import { commit, commitOutput, shortSha, shownCommit } from '../shown-commit.ts';
import { cursorInput, githubTool, inRepo, moreOutput, refInput, repoInput, slashed } from '../tool.ts';

const whole = commit.extend({
  stats: maybe(z.object({ additions: z.int(), deletions: z.int() })),
  files: z.array(changedFile).default([]),
});

const MOST_MESSAGE = 600;
/** GitHub lists at most 3,000 files. */
const MOST_PAGES = 30;

export const getCommit = githubTool({
  name: 'github_get_commit',
  title: 'Get a commit',
  description:
    'Shows a commit: message, author, and the changed files with their patches. file shows one patch as a whole.',
  phrases: 'show a commit; what did this commit change; diff of a commit; last commit of a branch',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    ref: refInput.describe('Commit, branch or tag'),
    file: fileInput,
    offset: patchOffsetInput,
    cursor: cursorInput,
  }),
  output: commitOutput.extend({
    message: z.string(),
    parents: z.array(z.string()),
    added: z.int().optional(),
    deleted: z.int().optional(),
    files: z.array(changedFileOutput),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { repo, ref, file, offset } = asked;
    const path = inRepo(repo, 'commits', ...slashed(ref));
    const question = { signal, progress };
    if (file !== undefined) {
      const found = await withFile(github, path, file, question);
      return { ...about(found), files: [shownFile(fileNamed(found.files, file), offset)] };
    }
    const { items, more, answer } = await pageOf(
      github,
      { tool: 'github_get_commit', asked: { ...asked, limit: 30 }, cursor },
      {
        type: whole,
        path,
        items: ({ files }) => files,
        shape: (one) => shownFile(one),
        besides: { message: 'x'.repeat(MOST_MESSAGE + 300) },
      },
      question,
    );
    return { ...about(answer), files: items, ...more };
  },
});

/** The page of the commit that has this file; the last page if none has. */
async function withFile(github: GitHub, path: Path, file: string, question: Question) {
  for (let page = 1; ; page += 1) {
    const query = { per_page: 100, page };
    const { data, headers } = await github.answer(whole, path, { ...question, query });
    const isHere = data.files.some(({ filename, previous_filename }) => [filename, previous_filename].includes(file));
    if (isHere || nextIn(headers.link) === undefined || page === MOST_PAGES) return data;
  }
}

function about(found: z.output<typeof whole>) {
  return {
    ...shownCommit(found),
    sha: found.sha,
    message: shortened(found.commit.message, MOST_MESSAGE),
    parents: found.parents.slice(0, 5).map(({ sha }) => shortSha(sha)),
    ...(found.stats && { added: found.stats.additions, deleted: found.stats.deletions }),
  };
}
