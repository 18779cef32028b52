import { z } from 'zod';
import { httpUrl } from '../../host/config/scalars.ts';
import type { SettingsOf } from '../module.ts';

const repositoryGlob = z.string().superRefine((given, context) => {
  if (/^(?:\*|[\w*?-]+\/[\w.*?-]+)$/.test(given)) return;
  context.addIssue({
    code: 'custom',
    message: 'is not a repository',
    params: { fix: 'Write owner/name, for example acme/shop, or a glob such as acme/*.' },
  });
});

export const githubSettings = z.object({
  /** GitHub, or a GitHub Enterprise Server: its address alone, or with /api/v3. */
  url: httpUrl.default('https://api.github.com'),
  /** A fine-grained or classic personal access token, or that of an app. Without one, only what is public can be read. */
  token: z.string().trim().min(1).optional(),
  /** Globs of `owner/name`. Upper and lower case are the same. */
  repositories: z.array(repositoryGlob).min(1).optional(),
});

export type GithubSettings = SettingsOf<typeof githubSettings>;
