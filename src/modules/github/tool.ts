import { z } from 'zod';
import { toolsFor } from '../../kernel/tool.ts';
import type { GitHub, Path } from './connection.ts';

export const githubTool = toolsFor<GitHub>({ category: 'github' });

export const repoInput = z
  .string()
  .max(200)
  .regex(/^[\w-]+\/[\w.-]+$/, 'must be owner/name')
  .describe('owner/name');

/** A branch, a tag or a commit. */
export const refInput = z
  .string()
  .min(1)
  .max(250)
  .regex(/^[^\s:~^?*[\\]+$/, 'must be a branch, a tag or a commit');

export const limitInput = z.int().min(1).max(100).default(30).describe('At most so many');
export const cursorInput = z.string().max(1000).optional().describe('From the page before');

/** For lists: `{ ...page.more }` fills it. */
export const moreOutput = {
  cursor: z.string().optional().describe('For the next page'),
  left_out: z.int().optional().describe('Found, but not in the allowed repositories'),
};

export const ownerAndName = (repo: string): { owner: string; name: string } => {
  const [owner = '', name = ''] = repo.split('/');
  return { owner, name };
};

/** Where a repository is in the API. The connection checks that it is allowed. */
export const inRepo = (repo: string, ...rest: Path): Path => ['repos', ...repo.split('/'), ...rest];

/** A branch or a path may have slashes, which stay slashes in the URL. */
export const slashed = (given: string): Path => given.split('/');

/** A file or a folder in a repository. */
export const pathInput = z
  .string()
  .max(1000)
  .transform((given) => given.replace(/^\/+|\/+$/g, ''));
