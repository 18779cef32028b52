/** Releases and drafts. */
import { userShape } from './shapes.ts';
import { type Asked, html, pageOf, Refusal, repositoryIn, type Topic, writableIn } from './topic.ts';
import { nextId, type ReleaseState, workIn } from './work.ts';
import { commitAt, fullName, type Repository, type World } from './world.ts';

function releaseShape(world: World, repository: Repository, one: ReleaseState) {
  const url = `${world.base}/repos/${fullName(repository)}/releases/${one.id}`;
  return {
    id: one.id,
    node_id: `RE_${one.id}`,
    url,
    html_url: html(repository, `/releases/tag/${one.tag}`),
    assets_url: `${url}/assets`,
    upload_url: `${url}/assets{?name,label}`,
    tarball_url: null,
    zipball_url: null,
    tag_name: one.tag,
    target_commitish: one.target,
    name: one.name,
    body: one.body,
    draft: one.draft,
    prerelease: one.prerelease,
    created_at: '2026-01-01T00:00:00Z',
    published_at: one.publishedAt,
    author: userShape(world, 'octocat'),
    assets: one.assets.map(({ name, size }, n) => ({
      id: n + 1,
      node_id: `RA_${n}`,
      url: `${url}/assets/${n}`,
      browser_download_url: html(repository, `/releases/download/${one.tag}/${name}`),
      name,
      label: null,
      state: 'uploaded',
      content_type: 'application/zip',
      size,
      digest: null,
      download_count: 3,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
      uploader: null,
    })),
  };
}

interface Given {
  readonly tag_name?: string;
  readonly target_commitish?: string;
  readonly name?: string;
  readonly body?: string;
  readonly draft?: boolean;
  readonly prerelease?: boolean;
  readonly generate_release_notes?: boolean;
}

const invalid = (field: string, code: string) =>
  new Refusal(422, 'Validation Failed', { errors: [{ resource: 'Release', field, code }] });

/** Publishing makes the tag. */
function publish(world: World, repository: Repository, one: ReleaseState): void {
  const sha = commitAt(repository, one.target);
  if (!repository.tags.has(one.tag)) {
    if (sha === undefined) throw invalid('target_commitish', 'invalid');
    repository.tags.set(one.tag, sha);
  }
  Object.assign(one, { draft: false, publishedAt: world.now() });
}

export const releases: Topic = (world) => {
  /** Only those who may write see drafts. */
  const seen = (asked: Asked) => {
    const repository = repositoryIn(world, asked);
    const mayWrite = asked.login !== undefined && asked.login !== 'reader';
    return { repository, all: workIn(repository).releases.filter(({ draft }) => mayWrite || !draft) };
  };
  const found = (asked: Asked, is: (one: ReleaseState) => boolean) => {
    const { repository, all } = seen(asked);
    const release = all.findLast(is);
    if (!release) throw new Refusal(404, 'Not Found');
    return { repository, release };
  };
  const byId = (asked: Asked) => found(asked, ({ id }) => String(id) === asked.params.release_id);
  return {
    'GET /repos/{owner}/{repo}/releases'(asked) {
      const { repository, all } = seen(asked);
      const { items, headers } = pageOf(world, asked, all.toReversed());
      return { body: items.map((one) => releaseShape(world, repository, one)), headers };
    },
    'GET /repos/{owner}/{repo}/releases/latest'(asked) {
      const { repository, release } = found(asked, ({ draft, prerelease }) => !draft && !prerelease);
      return { body: releaseShape(world, repository, release) };
    },
    'GET /repos/{owner}/{repo}/releases/tags/{tag}'(asked) {
      const { repository, release } = found(asked, ({ tag, draft }) => !draft && tag === asked.params.tag);
      return { body: releaseShape(world, repository, release) };
    },
    'GET /repos/{owner}/{repo}/releases/{release_id}'(asked) {
      const { repository, release } = byId(asked);
      return { body: releaseShape(world, repository, release) };
    },
    'POST /repos/{owner}/{repo}/releases'(asked) {
      const repository = writableIn(world, asked);
      const given = asked.body as Given & { tag_name: string };
      const all = workIn(repository).releases;
      if (all.some(({ tag, draft }) => tag === given.tag_name && !draft)) throw invalid('tag_name', 'already_exists');
      const notes = given.generate_release_notes ? "## What's Changed\n* Everything" : '';
      const made: ReleaseState = {
        id: nextId(),
        tag: given.tag_name,
        target: given.target_commitish ?? repository.defaultBranch,
        name: given.name ?? null,
        body: [given.body ?? '', notes].filter((text) => text !== '').join('\n'),
        draft: true,
        prerelease: given.prerelease ?? false,
        publishedAt: null,
        assets: [],
      };
      if (given.draft !== true) publish(world, repository, made);
      all.push(made);
      return { status: 201, body: releaseShape(world, repository, made) };
    },
    'PATCH /repos/{owner}/{repo}/releases/{release_id}'(asked) {
      writableIn(world, asked);
      const { repository, release } = byId(asked);
      const { tag_name, target_commitish, draft, name, body, prerelease } = asked.body as Given;
      Object.assign(release, {
        tag: tag_name ?? release.tag,
        target: target_commitish ?? release.target,
        name: name ?? release.name,
        body: body ?? release.body,
        prerelease: prerelease ?? release.prerelease,
      });
      if (draft === false && release.draft) publish(world, repository, release);
      return { body: releaseShape(world, repository, release) };
    },
    'DELETE /repos/{owner}/{repo}/releases/{release_id}'(asked) {
      writableIn(world, asked);
      const { repository, release } = byId(asked);
      const all = workIn(repository).releases;
      all.splice(all.indexOf(release), 1);
      return { status: 204 };
    },
  };
};
