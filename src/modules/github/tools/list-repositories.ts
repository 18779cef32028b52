import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { GitHub, Path, Question } from '../connection.ts';
import { ownLogin } from '../own-login.ts';
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
    if (asked.owner !== undefined) github.repositories.needOwner(asked.owner);
    const { path, query } = await sourceOf(github, asked.owner, question);
    const { items, more } = await pageOf(
      github,
      { tool: 'github_list_repositories', asked, cursor },
      {
        type: z.array(repository),
        path,
        query: { ...query, sort: asked.sort },
        items: (all) => all,
        isAllowed: ({ full_name }) => github.repositories.has(full_name),
        shape: shownRepository,
      },
      question,
    );
    return { repositories: items, ...more };
  },
});

interface Source {
  readonly path: Path;
  readonly query?: Question['query'];
}

/** The lists of organizations and of one's own account have private repositories, too; that of another user has not. */
async function sourceOf(github: GitHub, owner: string | undefined, question: Question): Promise<Source> {
  if (owner === undefined) {
    if (!github.isAnonymous) return { path: ['user', 'repos'] };
    throw new AppError(
      'invalid_input',
      `Name an owner: without ${github.setting}.token there are no repositories of yours.`,
    );
  }
  const ofUser = { path: ['users', owner, 'repos'] };
  if (github.isAnonymous) return ofUser;
  const ofOrganization = { path: ['orgs', owner, 'repos'] };
  if (await isThere(github, ofOrganization.path, question)) return ofOrganization;
  const isOwn = (await ownLogin(github, question))?.toLowerCase() === owner.toLowerCase();
  return isOwn ? { path: ['user', 'repos'], query: { affiliation: 'owner' } } : ofUser;
}

const isThere = (github: GitHub, path: Path, question: Question): Promise<boolean> =>
  github.json(z.unknown(), path, { ...question, query: { per_page: 1 } }).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return false;
      throw error;
    },
  );
