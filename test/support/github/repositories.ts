/** Repositories, their languages, branches and tags. */
import { repositoryShape } from './shapes.ts';
import { pageOf, Refusal, repositoryIn, type Topic } from './topic.ts';
import type { Repository } from './world.ts';

export const repositories: Topic = (world) => {
  const seen = (repository: Repository, login: string | undefined) => !repository.isPrivate || login !== undefined;
  const listed = (owner: string, login: string | undefined) =>
    world.repositories
      .filter((one) => one.owner.toLowerCase() === owner.toLowerCase() && seen(one, login))
      .map((one) => repositoryShape(world, one));
  return {
    'GET /repos/{owner}/{repo}': (asked) => {
      const found = repositoryIn(world, asked);
      return { body: { ...repositoryShape(world, found), network_count: 2, subscribers_count: 5 } };
    },
    'GET /repositories/{repository_id}': ({ params }) => {
      const found = world.repositories.find(({ id }) => String(id) === params.repository_id);
      if (!found) throw new Refusal(404, 'Not Found');
      return { body: { ...repositoryShape(world, found), network_count: 2, subscribers_count: 5 } };
    },
    'GET /user/repos': (asked) => {
      if (asked.login === undefined) throw new Refusal(401, 'Requires authentication');
      const isOwn = asked.query.get('affiliation') === 'owner';
      const own = world.repositories.filter(({ owner }) => !isOwn || owner === asked.login);
      const { items, headers } = pageOf(world, asked, own);
      return { body: items.map((one) => repositoryShape(world, one)), headers };
    },
    'GET /orgs/{org}/repos': (asked) => {
      if (asked.params.org === 'octocat') throw new Refusal(404, 'Not Found');
      const all = listed(String(asked.params.org), asked.login);
      const { items, headers } = pageOf(world, asked, all);
      return { body: items, headers };
    },
    'GET /users/{username}/repos': (asked) => {
      const all = listed(String(asked.params.username), undefined);
      const { items, headers } = pageOf(world, asked, all);
      return { body: items, headers };
    },
    'GET /repos/{owner}/{repo}/languages': (asked) => ({ body: repositoryIn(world, asked).languages }),
    'GET /repos/{owner}/{repo}/branches': (asked) => {
      const repository = repositoryIn(world, asked);
      const wanted = asked.query.get('protected');
      const all = [...repository.branches]
        .filter(([name]) => wanted === null || String(repository.protectedBranches.has(name)) === wanted)
        .map(([name, sha]) => ({
          name,
          commit: { sha, url: `${world.base}/repos/x/commits/${sha}` },
          protected: repository.protectedBranches.has(name),
        }));
      const { items, headers } = pageOf(world, asked, all);
      return { body: items, headers };
    },
    'GET /repos/{owner}/{repo}/tags': (asked) => {
      const repository = repositoryIn(world, asked);
      const url = `${world.base}/repos/${repository.owner}/${repository.name}`;
      const all = [...repository.tags].map(([name, sha]) => ({
        name,
        commit: { sha, url: `${url}/commits/${sha}` },
        zipball_url: `${url}/zipball/refs/tags/${name}`,
        tarball_url: `${url}/tarball/refs/tags/${name}`,
        node_id: `T_${name}`,
      }));
      const { items, headers } = pageOf(world, asked, all);
      return { body: items, headers };
    },
  };
};
