import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { known, maybe } from '../lenient.ts';
import { repository, repositoryOutput, shownRepository } from '../shown-repository.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

const whole = repository.extend({
  html_url: maybe(z.string()),
  homepage: maybe(z.string()),
  topics: maybe(z.array(z.string())),
  open_issues_count: maybe(z.int()),
  forks_count: maybe(z.int()),
  license: maybe(z.object({ spdx_id: maybe(z.string()) })),
  size: maybe(z.int()),
  permissions: maybe(z.record(z.string(), z.boolean())),
  parent: maybe(z.object({ full_name: z.string() })),
  created_at: maybe(z.string()),
});

export const getRepository = githubTool({
  name: 'github_get_repository',
  title: 'Get a repository',
  description:
    'Shows a repository: default branch, languages, topics, license, open issues, stars, and what the token may do with it.',
  phrases:
    'show a github repository; what is the default branch; which languages does a repo use; can I push to this repository',
  effect: 'read',
  input: z.strictObject({ repo: repoInput }),
  output: repositoryOutput.extend({
    url: z.string().optional(),
    default_branch: z.string().optional(),
    homepage: z.string().optional(),
    topics: z.array(z.string()).optional(),
    languages: z.record(z.string(), z.number()).describe('In percent'),
    license: z.string().optional(),
    open_issues: z.int().optional().describe('With pull requests'),
    forks: z.int().optional(),
    kilobytes: z.int().optional(),
    forked_from: z.string().optional(),
    created: z.string().optional(),
    may: z.array(z.string()).optional().describe('Rights of the token: pull, triage, push, maintain, admin'),
  }),
  async run({ repo }, github, { signal }, progress) {
    const question = { signal, progress };
    const [found, languages] = await Promise.all([
      github.json(whole, inRepo(repo), question),
      github.json(z.record(z.string(), z.number()), inRepo(repo, 'languages'), question),
    ]);
    return {
      ...shownRepository(found),
      ...known({
        url: found.html_url,
        default_branch: found.default_branch,
        homepage: found.homepage ? shortened(found.homepage, 200) : undefined,
        topics: found.topics?.slice(0, 30),
        license: found.license?.spdx_id,
        open_issues: found.open_issues_count,
        forks: found.forks_count,
        kilobytes: found.size,
        forked_from: found.parent?.full_name,
        created: found.created_at,
        may: found.permissions && Object.keys(found.permissions).filter((right) => found.permissions?.[right] === true),
      }),
      languages: shares(languages),
    };
  },
});

const MOST_LANGUAGES = 20;

function shares(bytes: Readonly<Record<string, number>>): Record<string, number> {
  const all = Object.values(bytes).reduce((sum, one) => sum + one, 0);
  const sorted = Object.entries(bytes).sort(([, a], [, b]) => b - a);
  return Object.fromEntries(
    sorted.slice(0, MOST_LANGUAGES).map(([name, one]) => [name, Math.round((one / all) * 1000) / 10]),
  );
}
