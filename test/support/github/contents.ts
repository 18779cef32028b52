/** Files by their path: read, written and deleted one at a time. */
import { needCommit } from './commits.ts';
import { gitCommitShape } from './shapes.ts';
import { html, Refusal, repositoryIn, type Asked, type Topic, writableIn } from './topic.ts';
import {
  addBlob,
  addCommit,
  addTree,
  commitAt,
  filesAt,
  fullName,
  type Entry,
  type Repository,
  type World,
} from './world.ts';

const MB = 1024 * 1024;

interface Written {
  readonly message: string;
  readonly content: string;
  readonly sha?: string;
  readonly branch?: string;
}

export const contents: Topic = (world) => {
  function read(asked: Asked) {
    const repository = repositoryIn(world, asked);
    const path = asked.params.path ?? '';
    const files = filesAt(repository, needCommit(repository, asked.query.get('ref') ?? repository.defaultBranch));
    const accept = String(asked.headers.accept);
    let [at, entry] = [path, files.get(path)];
    // A link to a file of the repository is answered with that file.
    const target = entry?.mode === '120000' ? linked(repository, path, entry) : undefined;
    if (target !== undefined && files.has(target)) [at, entry] = [target, files.get(target)];
    if (!entry) return folder(world, repository, path, [...files], accept);
    const bytes = repository.blobs.get(entry.sha) ?? Buffer.alloc(0);
    if (accept.startsWith('application/vnd.github.raw') && entry.mode !== '160000')
      return { type: 'application/vnd.github.raw', raw: bytes };
    const shape = entryShape(world, repository, path, entry);
    if (entry.mode === '160000')
      return { body: { ...shape, type: 'submodule', submodule_git_url: 'https://github.com/acme/lib.git' } };
    if (entry.mode === '120000') return { body: { ...shape, type: 'symlink', target: bytes.toString('utf8') } };
    const isLong = bytes.length > MB;
    if (isLong && !accept.startsWith('application/vnd.github.object'))
      throw new Refusal(403, 'This API returns blobs up to 1 MB in size.', {
        errors: [{ resource: 'Blob', field: 'data', code: 'too_large' }],
      });
    const body = {
      ...shape,
      path: at,
      encoding: isLong ? 'none' : 'base64',
      content: isLong ? '' : (bytes.toString('base64').match(/.{1,60}/g) ?? []).map((line) => `${line}\n`).join(''),
    };
    return { body, type: typeIn(accept) };
  }

  /** Commits one change, as the contents API does. */
  function committed(
    repository: Repository,
    branch: string,
    asked: Asked,
    change: (files: Map<string, Entry>) => void,
  ) {
    const parent = repository.branches.get(branch);
    if (parent === undefined && repository.commits.size > 0) throw new Refusal(404, `Branch ${branch} not found`);
    const files = new Map(parent === undefined ? [] : filesAt(repository, parent));
    change(files);
    const sha = addCommit(repository, {
      tree: addTree(repository, files),
      parents: parent === undefined ? [] : [parent],
      message: (asked.body as Written).message,
      login: String(asked.login),
      date: world.now(),
    });
    repository.branches.set(branch, sha);
    const { commit: _, ...shape } = { commit: undefined, ...gitCommitShape(world, repository, sha) };
    return shape;
  }

  return {
    'GET /repos/{owner}/{repo}/contents': read,
    'GET /repos/{owner}/{repo}/contents/{path}': read,
    'PUT /repos/{owner}/{repo}/contents/{path}'(asked) {
      const repository = writableIn(world, asked);
      const path = String(asked.params.path);
      const { content, sha, branch = repository.defaultBranch } = asked.body as Written;
      const old = filesAt(repository, commitAt(repository, branch) ?? '').get(path);
      if (old && sha === undefined) throw new Refusal(422, 'Invalid request.\n\n"sha" wasn\'t supplied.');
      if (old && sha !== old.sha) throw new Refusal(409, `${path} does not match ${sha}`);
      const blob = addBlob(repository, Buffer.from(content, 'base64'));
      const entry: Entry = { mode: '100644', sha: blob };
      const commit = committed(repository, branch, asked, (files) => files.set(path, entry));
      return { status: old ? 200 : 201, body: { content: entryShape(world, repository, path, entry), commit } };
    },
    'DELETE /repos/{owner}/{repo}/contents/{path}'(asked) {
      const repository = writableIn(world, asked);
      const path = String(asked.params.path);
      const { sha, branch = repository.defaultBranch } = asked.body as Written;
      const old = filesAt(repository, commitAt(repository, branch) ?? '').get(path);
      if (!old) throw new Refusal(404, 'Not Found');
      if (sha !== old.sha) throw new Refusal(409, `${path} does not match ${sha}`);
      const commit = committed(repository, branch, asked, (files) => files.delete(path));
      return { body: { content: null, commit } };
    },
  };
};

const typeIn = (accept: string) =>
  accept.startsWith('application/vnd.github.object') ? 'application/vnd.github.object' : 'application/json';

function linked(repository: Repository, path: string, { sha }: Entry): string {
  const target = repository.blobs.get(sha)?.toString('utf8') ?? '';
  return new URL(target, `http://x/${path}`).pathname.slice(1);
}

function folder(world: World, repository: Repository, path: string, files: readonly [string, Entry][], accept: string) {
  const prefix = path === '' ? '' : `${path}/`;
  const entries = new Map<string, object>();
  for (const [name, entry] of files) {
    if (!name.startsWith(prefix)) continue;
    const [first = '', ...deeper] = name.slice(prefix.length).split('/');
    const below = `${prefix}${first}`;
    const sha = deeper.length > 0 ? 'd'.repeat(40) : entry.sha;
    const shape = entryShape(world, repository, below, { ...entry, sha });
    // A list says file for submodules, too.
    const type = deeper.length > 0 ? 'dir' : entry.mode === '120000' ? 'symlink' : 'file';
    entries.set(below, { ...shape, type, ...(type === 'dir' && { size: 0, download_url: null }) });
  }
  if (entries.size === 0) throw new Refusal(404, 'Not Found');
  const list = [...entries.values()];
  if (!accept.startsWith('application/vnd.github.object')) return { body: list };
  const self = entryShape(world, repository, path, { mode: '100644', sha: 'd'.repeat(40) });
  const body = { ...self, type: 'dir', size: 0, download_url: null, entries: list };
  return { body, type: 'application/vnd.github.object' };
}

function entryShape(world: World, repository: Repository, path: string, { sha, mode }: Entry) {
  const url = `${world.base}/repos/${fullName(repository)}`;
  const links = {
    self: `${url}/contents/${path}`,
    git: `${url}/git/blobs/${sha}`,
    html: html(repository, `/blob/main/${path}`),
  };
  return {
    type: 'file',
    name: path.split('/').at(-1) ?? '',
    path,
    sha,
    size: mode === '160000' ? 0 : (repository.blobs.get(sha)?.length ?? 0),
    url: links.self,
    git_url: links.git,
    html_url: links.html,
    download_url: `https://raw.githubusercontent.com/${fullName(repository)}/main/${path}`,
    _links: links,
  };
}
