import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { base64Of, branchInput, contentInput, encodingInput, messageInput, writtenPath } from '../commit-input.ts';
import { githubTool, inRepo, repoInput, slashed } from '../tool.ts';

const written = z.object({
  content: z.object({ sha: z.string() }),
  commit: z.object({ sha: z.string() }),
});

export const putFile = githubTool({
  name: 'github_put_file',
  title: 'Write a file',
  description:
    'Creates or changes one file in one commit. A file that exists is changed only with its current sha (from github_get_file).',
  phrases: 'create a file in the repo; update a file on github; commit a change to one file; edit the readme',
  effect: 'update',
  input: z.strictObject({
    repo: repoInput,
    path: writtenPath.describe('Path in the repository'),
    content: contentInput.describe('The whole new content'),
    encoding: encodingInput,
    message: messageInput,
    branch: branchInput.optional().describe('Default: the default branch'),
    sha: z
      .string()
      .regex(/^[0-9a-f]{40,64}$/, 'must be a whole sha')
      .optional()
      .describe('Of the file that is replaced; leave it out for a new file'),
  }),
  output: z.object({
    repo: z.string(),
    path: z.string(),
    created: z.boolean().describe('Not: it was changed'),
    sha: z.string().describe('Of the file, for the next change'),
    commit: z.string(),
  }),
  async run({ repo, path, content, encoding, message, branch, sha }, github, { signal }, progress) {
    const body = {
      message,
      content: base64Of(content, encoding, path),
      ...(branch !== undefined && { branch }),
      ...(sha !== undefined && { sha }),
    };
    try {
      const found = await github.json(written, inRepo(repo, 'contents', ...slashed(path)), {
        method: 'PUT',
        body,
        signal,
        progress,
      });
      return { repo, path, created: sha === undefined, sha: found.content.sha, commit: found.commit.sha };
    } catch (error) {
      throw conflictOf(error, path, sha);
    }
  },
});

/** GitHub does not overwrite what the caller has not seen. */
function conflictOf(error: unknown, path: string, sha: string | undefined): unknown {
  if (!(error instanceof AppError)) return error;
  if (error.code === 'invalid_input' && /sha/.test(error.message) && sha === undefined)
    return new AppError(
      'conflict',
      `${path} exists already, and nothing was changed. Read it with github_get_file, and pass its sha to replace it.`,
      { cause: error },
    );
  if (error.code === 'conflict' && /does not match/.test(error.message))
    return new AppError(
      'conflict',
      `${path} has changed since it was read, and nothing was written. Read it again with github_get_file, and pass its current sha.`,
      { cause: error },
    );
  return error;
}
