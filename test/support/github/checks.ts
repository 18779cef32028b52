/** Check runs, and the statuses of older integrations. */
import { repositoryShape } from './shapes.ts';
import { type Asked, html, pageOf, Refusal, repositoryIn, type Topic } from './topic.ts';
import { workIn } from './work.ts';
import { commitAt, fullName, type Repository, type World } from './world.ts';

function commitIn(world: World, asked: Asked): { repository: Repository; sha: string } {
  const repository = repositoryIn(world, asked);
  const sha = commitAt(repository, String(asked.params.ref));
  if (sha === undefined) throw new Refusal(422, `No commit found for SHA: ${asked.params.ref}`);
  return { repository, sha };
}

export const checks: Topic = (world) => ({
  'GET /repos/{owner}/{repo}/commits/{ref}/check-runs'(asked) {
    const { repository, sha } = commitIn(world, asked);
    const all = workIn(repository).checks.get(sha) ?? [];
    const { items, headers } = pageOf(world, asked, all);
    const url = `${world.base}/repos/${fullName(repository)}/check-runs`;
    return {
      headers,
      body: {
        total_count: all.length,
        check_runs: items.map(({ id, name, status, conclusion }) => ({
          id,
          node_id: `CR_${id}`,
          head_sha: sha,
          external_id: '',
          name,
          url: `${url}/${id}`,
          html_url: html(repository, `/actions/runs/1/job/${id}`),
          details_url: html(repository, `/actions/runs/1/job/${id}`),
          status,
          conclusion,
          started_at: '2026-01-01T00:00:00Z',
          completed_at: status === 'completed' ? '2026-01-01T00:01:00Z' : null,
          check_suite: { id: 1 },
          output: {
            title: conclusion === 'failure' ? `${name} found 2 problems` : null,
            summary: null,
            text: null,
            annotations_count: 0,
            annotations_url: `${url}/${id}/annotations`,
          },
          app: {
            id: 15368,
            slug: 'github-actions',
            node_id: 'A_1',
            owner: repositoryShape(world, repository).owner,
            name: 'GitHub Actions',
            description: null,
            external_url: 'https://help.github.com/en/actions',
            html_url: 'https://github.com/apps/github-actions',
            created_at: '2018-07-30T09:30:17Z',
            updated_at: '2018-07-30T09:30:17Z',
            permissions: {},
            events: [],
          },
          pull_requests: [],
        })),
      },
    };
  },
  'GET /repos/{owner}/{repo}/commits/{ref}/status'(asked) {
    const { repository, sha } = commitIn(world, asked);
    const all = workIn(repository).statuses.get(sha) ?? [];
    const { items, headers } = pageOf(world, asked, all);
    const url = `${world.base}/repos/${fullName(repository)}/commits/${sha}`;
    return {
      headers,
      body: {
        state: all.every(({ state }) => state === 'success') ? 'success' : 'failure',
        sha,
        total_count: all.length,
        statuses: items.map(({ context, state }, n) => ({
          id: n + 1,
          node_id: `S_${n}`,
          url: `${url}/statuses`,
          avatar_url: null,
          state,
          context,
          description: `${context} says ${state}`,
          target_url: 'https://ci.example.com/1',
          created_at: '2026-01-01T00:00:00Z',
          updated_at: '2026-01-01T00:00:00Z',
        })),
        repository: repositoryShape(world, repository),
        commit_url: url,
        url: `${url}/status`,
      },
    };
  },
});
