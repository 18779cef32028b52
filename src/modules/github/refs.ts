import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { GitHub, Question } from './connection.ts';
import { inRepo, slashed } from './tool.ts';

const reference = z.object({ object: z.object({ sha: z.string() }) });
const withDefault = z.object({ default_branch: z.string() });

type Asking = Pick<Question, 'signal' | 'progress'>;

export const defaultBranchOf = async (github: GitHub, repo: string, asking: Asking): Promise<string> =>
  (await github.json(withDefault, inRepo(repo), asking)).default_branch;

/** The last commit of a branch. */
export async function headOf(github: GitHub, repo: string, branch: string, asking: Asking): Promise<string> {
  try {
    const found = await github.json(reference, inRepo(repo, 'git', 'ref', 'heads', ...slashed(branch)), asking);
    return found.object.sha;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new AppError('not_found', `${repo} has no branch ${branch}. github_list_branches shows them.`, {
      cause: error,
    });
  }
}

/** The full sha of a branch, a tag or a commit. */
export async function shaOf(github: GitHub, repo: string, ref: string, asking: Asking): Promise<string> {
  const said = await github.text(inRepo(repo, 'commits', ...slashed(ref)), {
    ...asking,
    headers: { accept: 'application/vnd.github.sha' },
    mostBytes: 1024 * 1024,
  });
  const sha = said.trim();
  if (/^[0-9a-f]{40,64}$/.test(sha)) return sha;
  throw new AppError('unavailable', `${github.at} did not say which commit ${ref} is. Check ${github.setting}.url.`);
}
