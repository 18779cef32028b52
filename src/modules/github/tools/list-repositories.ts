import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { GitHub, Path, Question } from '../connection.ts';
import { pageOf } from '../page.ts';
import { repository, repositoryOutput, shownRepository } from '../shown-repository.ts';
import { cursorInput, githubTool, limitInput, moreOutput } from '../tool.ts';

export const listRepositories = githubTool({
  name: 'github_list_repositories',
  title: 'List repositories',
  description:
    'Lists repositories of an account or organization, the last changed first. Without owner: those that the token belongs to.',
  phrases: 'list my github repositories; which repos does acme have; show the repositories of an organization',
  effect: 'read',
  input: z.strictObject({
    owner: z
      .string()
      .max(100)
      .regex(/^[\w-]+$/, 'must be the name of an account')
      .optional()
      .describe('User or organization'),
    sort: z.enum(['updated', 'pushed', 'created', 'full_name']).default('pushed'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ repositories: z.array(repositoryOutput), ...moreOutput }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const question = { signal, progress };
    const { items, more } = await pageOf(
      github,
      { tool: 'github_list_repositories', asked, cursor },
      {
        type: z.array(repository),
        path: await sourceOf(github, asked.owner, question),
        query: { sort: asked.sort },
        items: (all) => all,
        isAllowed: ({ full_name }) => github.repositories.has(full_name),
        shape: shownRepository,
      },
      question,
    );
    return { repositories: items, ...more };
  },
});

/** The list of an organization has its private repositories, too; that of a user has only public ones. */
async function sourceOf(github: GitHub, owner: string | undefined, question: Question): Promise<Path> {
  if (owner === undefined) {
    if (!github.isAnonymous) return ['user', 'repos'];
    throw new AppError(
      'invalid_input',
      `Name an owner: without ${github.setting}.token there are no repositories of yours.`,
    );
  }
  if (github.isAnonymous) return ['users', owner, 'repos'];
  const isUser = await github
    .json(z.unknown(), ['orgs', owner, 'repos'], { ...question, query: { per_page: 1 } })
    .then(() => false)
    .catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return true;
      throw error;
    });
  return isUser ? ['users', owner, 'repos'] : ['orgs', owner, 'repos'];
}
