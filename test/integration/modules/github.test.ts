import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { githubIsMissing, startGithub, TOKEN } from '../../support/github.ts';
import type { GithubServer } from '../../support/github/server.ts';
import { moduleClient, type ModuleClient } from '../../support/module-client.ts';

describe.skipIf(githubIsMissing)('github', () => {
  let github: GithubServer;
  let client: ModuleClient;

  beforeAll(async () => {
    github = await startGithub();
    client = await moduleClient({
      github: { url: github.url, token: TOKEN, mode: 'read-write', repositories: ['acme/*'] },
    });
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await github[Symbol.asyncDispose]();
  });
  afterEach(() => github.settle());

  test('says who asks, what is left, and what is allowed', async () => {
    expect(await client.read('github', 'get_context')).toMatchObject({
      login: 'octocat',
      token: 'classic',
      scopes: ['repo', 'workflow'],
      limits: { core: { left: 4988, of: 5000 } },
      repositories: ['acme/*'],
    });
  });
});
