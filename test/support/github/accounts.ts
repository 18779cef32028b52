/** Who asks, and how many requests are left. */
import { userShape } from './shapes.ts';
import { Refusal, type Topic } from './topic.ts';

const limit = (most: number, used: number) => ({ limit: most, used, remaining: most - used, reset: 1_900_000_000 });

export const accounts: Topic = (world) => ({
  'GET /user'({ login }) {
    if (login === undefined) throw new Refusal(401, 'Requires authentication');
    const scopes = [...world.tokens.values()].find((one) => one.login === login)?.scopes ?? '';
    return {
      ...(scopes !== '' && { headers: { 'x-oauth-scopes': scopes } }),
      body: {
        ...userShape(world, login),
        name: 'The Octocat',
        company: null,
        blog: null,
        location: null,
        email: null,
        hireable: null,
        bio: null,
        public_repos: 2,
        public_gists: 0,
        followers: 1,
        following: 0,
        created_at: '2020-01-01T00:00:00Z',
        updated_at: '2026-01-01T00:00:00Z',
      },
    };
  },
  'GET /rate_limit'({ login }) {
    const core = login === undefined ? limit(60, 3) : limit(5000, 12);
    return {
      body: { resources: { core, search: limit(30, 1), code_search: limit(10, 0) }, rate: core },
    };
  },
});
