/**
 * A GitHub for tests: a stand-in that keeps repositories in memory (test/support/github), written from
 * https://docs.github.com/rest and held against GitHub's own OpenAPI description: a request with a path, a parameter or
 * a body that is not described fails the suite, and so does an answer of the stand-in.
 *
 * The tests that only read can use GitHub itself:
 *
 *   TEST_GITHUB_URL=https://api.github.com TEST_GITHUB_TOKEN=… TEST_GITHUB_REPO=owner/name npx vitest run
 *   test/integration/modules/github.test.ts
 */
import { descriptionIsMissing } from './github/description.ts';
import { type GithubServer, startServer } from './github/server.ts';
import { addRepository } from './github/world.ts';

const { TEST_GITHUB_URL, TEST_GITHUB_TOKEN, TEST_GITHUB_REPO } = process.env;

/** GitHub itself, if the environment names a repository. */
export const realGithub =
  TEST_GITHUB_REPO === undefined
    ? undefined
    : {
        repo: TEST_GITHUB_REPO,
        section: { url: TEST_GITHUB_URL ?? 'https://api.github.com', token: TEST_GITHUB_TOKEN },
      };

/** For `describe.skipIf`: why the stand-in cannot be held against the description. */
export const githubIsMissing = descriptionIsMissing();

/** Of octocat, who may write everywhere. */
export const TOKEN = 'github_pat_octocat';
/** Of somebody who may only read. */
export const READER = 'github_pat_reader';

/** With `acme/shop` and the private `acme/vault`, which the suites allow, and `other/secret`, which they do not. */
export async function startGithub(): Promise<GithubServer> {
  const server = await startServer();
  const { world } = server;
  world.tokens.set(TOKEN, { login: 'octocat', scopes: 'repo, workflow' });
  world.tokens.set(READER, { login: 'reader', scopes: '' });
  const shop = addRepository(world, 'acme/shop', {
    description: 'Sells things',
    topics: ['shop', 'typescript'],
    languages: { TypeScript: 9000, Shell: 1000 },
    commits: [
      {
        message: 'Begin\n\nThe first files.',
        files: { 'README.md': '# Shop\n', 'src/index.ts': "export const name = 'shop';\n", 'src/old.ts': 'gone\n' },
      },
      {
        message: 'Count the cart',
        login: 'hubot',
        files: { 'src/cart.ts': 'export const count = 1;\n', 'src/old.ts': null },
      },
      {
        message: 'Add a logo and links',
        files: {
          'logo.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3]),
          'docs/latest.md': { link: '../README.md' },
          'vendor/lib': { module: 'b'.repeat(40) },
        },
      },
    ],
  });
  shop.protectedBranches.add('main');
  shop.tags.set('v1.0.0', [...shop.commits.keys()][0] as string);
  addRepository(world, 'acme/vault', {
    isPrivate: true,
    commits: [{ message: 'Keep secrets', files: { 'keys.txt': 'hidden\n' } }],
  });
  addRepository(world, 'other/secret', {
    isPrivate: true,
    commits: [{ message: 'Private', files: { 'plan.md': 'out of reach\n' } }],
  });
  return server;
}
