import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { branchInput, messageInput, writtenPath } from '../commit-input.ts';
import type { GitHub } from '../connection.ts';
import { githubTool, inRepo, repoInput, slashed } from '../tool.ts';

const found = z.object({ type: z.string(), sha: z.string(), size: z.int().default(0) });
const deleted = z.object({ commit: z.object({ sha: z.string() }) });

const input = z.strictObject({
  repo: repoInput,
  path: writtenPath.describe('Path in the repository'),
  message: messageInput.optional().describe('Commit message; default: Delete and the path'),
  branch: branchInput.optional().describe('Default: the default branch'),
  sha: z.string().max(64).optional().describe('Only if the file still has this sha'),
});
type Input = z.output<typeof input>;

export const deleteFile = githubTool({
  name: 'github_delete_file',
  title: 'Delete a file',
  description: 'Deletes one file of a branch in a commit. Its history stays.',
  phrases: 'delete a file from the repo; remove a file on github',
  effect: 'delete',
  input,
  output: z.object({ repo: z.string(), path: z.string(), commit: z.string() }),
  async preview(given, github, { signal }) {
    const { size } = await current(given, github, signal);
    const branch = given.branch ?? 'the default branch';
    return `Deletes ${given.path} (${size} bytes) of ${given.repo} on ${branch}, in a new commit. Earlier commits keep it.`;
  },
  async run(given, github, { signal }, progress) {
    const { repo, path, branch, message = `Delete ${path}` } = given;
    const { sha } = await current(given, github, signal);
    const { commit } = await github.json(deleted, inRepo(repo, 'contents', ...slashed(path)), {
      method: 'DELETE',
      body: { message, sha, ...(branch !== undefined && { branch }) },
      signal,
      progress,
    });
    return { repo, path, commit: commit.sha };
  },
});

async function current({ repo, path, branch, sha }: Input, github: GitHub, signal: AbortSignal) {
  const one = await github.json(found, inRepo(repo, 'contents', ...slashed(path)), {
    query: { ref: branch },
    headers: { accept: 'application/vnd.github.object+json' },
    signal,
  });
  if (one.type === 'dir')
    throw new AppError(
      'invalid_input',
      `${path} is a folder. github_commit_files deletes several files in one commit.`,
    );
  if (sha !== undefined && sha !== one.sha)
    throw new AppError('conflict', `${path} has changed: its sha is ${one.sha}. Nothing was deleted.`);
  return one;
}
