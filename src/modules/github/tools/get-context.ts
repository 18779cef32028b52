import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { GitHub, Question } from '../connection.ts';
import { readLimits } from '../limits.ts';
import { githubTool } from '../tool.ts';

const user = z.object({ login: z.string(), name: z.string().nullish(), html_url: z.string().optional() });
const shownLimit = z.object({ left: z.int(), of: z.int(), resets: z.string() });

export const getContext = githubTool({
  name: 'github_get_context',
  title: 'Who am I on GitHub',
  description:
    'Shows whose token is used, its scopes, how many requests are left, and which repositories the configuration allows.',
  phrases:
    'who am I on github; which github account is this; github rate limit left; what may my github token do; which repositories can I use',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    login: z.string().optional().describe('Missing without a token, and for tokens of apps'),
    name: z.string().optional(),
    token: z.enum(['none', 'classic', 'fine-grained or app']),
    scopes: z.array(z.string()).optional().describe('Of a classic token'),
    expires: z.string().optional(),
    limits: z.record(z.string(), shownLimit),
    repositories: z.array(z.string()).describe('Globs that modules.github.repositories allows; * is all'),
    more_repositories: z.int().optional().describe('Globs that are not shown'),
    note: z.string().optional(),
  }),
  async run(_, github, { signal }, progress) {
    const question = { signal, progress };
    const resources = await readLimits(github, question);
    const { note, ...who } = await whoIs(github, question);
    const shown = Object.entries(resources).map(([name, { limit: of, remaining: left, reset }]) => [
      name,
      { left, of, resets: new Date(reset * 1000).toISOString().replace('.000', '') },
    ]);
    const globs = github.repositories.globs ?? ['*'];
    const shownGlobs = fittingItems(globs, { ...who, shown, note });
    return {
      ...who,
      limits: Object.fromEntries(shown),
      repositories: globs.slice(0, shownGlobs),
      ...(shownGlobs < globs.length && { more_repositories: globs.length - shownGlobs }),
      ...(note !== undefined && { note }),
    };
  },
});

async function whoIs(github: GitHub, question: Question) {
  if (github.isAnonymous)
    return {
      token: 'none' as const,
      note: `Without a token only what is public can be read, with 60 requests an hour. Set ${github.setting}.token for more.`,
    };
  try {
    const { data, headers } = await github.answer(user, ['user'], question);
    const scopes = headers['x-oauth-scopes'];
    const expires = headers['github-authentication-token-expiration'];
    return {
      login: data.login,
      ...(typeof data.name === 'string' && { name: data.name.slice(0, 200) }),
      token: typeof scopes === 'string' ? ('classic' as const) : ('fine-grained or app' as const),
      ...(typeof scopes === 'string' && { scopes: scopes.split(/,\s*/).filter(Boolean) }),
      ...(typeof expires === 'string' && { expires }),
    };
  } catch (error) {
    // Tokens of apps belong to no user.
    if (!(error instanceof AppError) || error.code !== 'forbidden') throw error;
    return { token: 'fine-grained or app' as const, note: 'The token belongs to an app, not to a user.' };
  }
}
