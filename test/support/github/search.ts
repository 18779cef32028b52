/** Search, with the qualifiers that scope it: `repo:`, `user:` and `org:` are joined with or, as GitHub does. */
import { repositoryShape, userShape } from './shapes.ts';
import { type Asked, html, pageOf, Refusal, type Topic } from './topic.ts';
import { commitAt, filesAt, fullName, type Repository } from './world.ts';

export const search: Topic = (world) => {
  function parsed({ query, login }: Asked) {
    const q = String(query.get('q'));
    const scopes = [...q.matchAll(/(?:^|[\s(])(repo|user|org):([\w./-]+)/g)].map(([, kind, name]) => ({ kind, name }));
    const text = q
      .replace(/\b[a-z]+:\S+/g, '')
      .replace(/[()]|\bOR\b/g, '')
      .trim()
      .toLowerCase();
    const inScope = (one: Repository) =>
      scopes.length === 0 ||
      scopes.some(({ kind, name = '' }) =>
        kind === 'repo'
          ? fullName(one).toLowerCase() === name.toLowerCase()
          : one.owner.toLowerCase() === name.toLowerCase(),
      );
    const found = world.repositories.filter((one) => inScope(one) && (!one.isPrivate || login !== undefined));
    if (scopes.length > 0 && found.length === 0)
      throw new Refusal(422, 'Validation Failed', {
        errors: [
          {
            message:
              'The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.',
            resource: 'Search',
            field: 'q',
            code: 'invalid',
          },
        ],
      });
    return { text, found };
  }

  function answer(asked: Asked, all: readonly object[], more: object = {}) {
    const { items, headers } = pageOf(world, asked, all);
    return { body: { total_count: all.length, incomplete_results: false, items, ...more }, headers };
  }

  return {
    'GET /search/code'(asked) {
      if (asked.login === undefined) throw new Refusal(401, 'Requires authentication');
      const { text, found } = parsed(asked);
      if (text === '')
        throw new Refusal(422, 'Validation Failed', { errors: [{ resource: 'Search', field: 'q', code: 'missing' }] });
      const withMatches = String(asked.headers.accept).startsWith('application/vnd.github.text-match');
      return answer(
        asked,
        found.flatMap((repository) => {
          const head = commitAt(repository, repository.defaultBranch) ?? '';
          return [...filesAt(repository, head)].flatMap(([path, { sha }]) => {
            const content = repository.blobs.get(sha)?.toString('utf8') ?? '';
            if (!content.toLowerCase().includes(text)) return [];
            const url = `${world.base}/repos/${fullName(repository)}/contents/${path}`;
            return {
              name: path.split('/').at(-1),
              path,
              sha,
              url,
              git_url: url,
              html_url: html(repository, `/blob/${head}/${path}`),
              repository: repositoryShape(world, repository),
              score: 1,
              ...(withMatches && {
                text_matches: [
                  {
                    object_url: url,
                    object_type: 'FileContent',
                    property: 'content',
                    fragment: content.slice(0, 300),
                    matches: [],
                  },
                ],
              }),
            };
          });
        }),
      );
    },
    'GET /search/repositories'(asked) {
      const { text, found } = parsed(asked);
      const all = found.filter((one) => `${fullName(one)} ${one.description}`.toLowerCase().includes(text));
      return answer(
        asked,
        all.map((one) => ({ ...repositoryShape(world, one), score: 1 })),
      );
    },
    /** Each repository has the same issue. */
    'GET /search/issues'(asked) {
      const { text, found } = parsed(asked);
      const title = 'The cart counts wrong';
      const all = title.toLowerCase().includes(text) ? found : [];
      return answer(
        asked,
        all.map((one) => {
          const url = `${world.base}/repos/${fullName(one)}`;
          const issue = `${url}/issues/1`;
          return {
            url: issue,
            repository_url: url,
            labels_url: `${issue}/labels`,
            comments_url: `${issue}/comments`,
            events_url: `${issue}/events`,
            html_url: html(one, '/issues/1'),
            id: one.id,
            node_id: `I_${one.id}`,
            number: 1,
            title,
            user: userShape(world, 'hubot'),
            labels: [{ name: 'bug' }],
            state: 'open',
            locked: false,
            assignee: null,
            milestone: null,
            comments: 2,
            created_at: '2026-01-02T00:00:00Z',
            updated_at: '2026-01-03T00:00:00Z',
            closed_at: null,
            author_association: 'NONE',
            score: 1,
          };
        }),
        { search_type: 'lexical' },
      );
    },
  };
};
