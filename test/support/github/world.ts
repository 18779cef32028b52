/** What the stand-in knows: accounts, and repositories with their Git objects. */
import { createHash } from 'node:crypto';

export interface Entry {
  readonly mode: '100644' | '100755' | '120000' | '160000';
  readonly sha: string;
}

/** All files of a commit, by path. */
export type Tree = ReadonlyMap<string, Entry>;

export interface Commit {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly login: string;
  readonly date: string;
}

export interface Repository {
  readonly id: number;
  owner: string;
  name: string;
  readonly isPrivate: boolean;
  readonly description: string | null;
  readonly topics: readonly string[];
  readonly languages: Readonly<Record<string, number>>;
  readonly defaultBranch: string;
  /** The commit of each, by name. */
  readonly branches: Map<string, string>;
  readonly tags: Map<string, string>;
  readonly protectedBranches: Set<string>;
  readonly blobs: Map<string, Buffer>;
  readonly trees: Map<string, Tree>;
  readonly commits: Map<string, Commit>;
}

export interface World {
  /** Where the API is. */
  base: string;
  /** Logins by token. */
  readonly tokens: Map<string, { readonly login: string; readonly scopes: string }>;
  readonly repositories: Repository[];
  /** Former names of repositories, in lower case. */
  readonly formerNames: Map<string, Repository>;
  /** What the host of signed URLs has, by path; set by `signed`. */
  readonly files: Map<string, Buffer>;
  /** A URL on another host, from which these bytes can be fetched without a token. */
  signed(bytes: Buffer): string;
  find(fullName: string): Repository | undefined;
  /** Every commit is a minute later than the one before. */
  now(): string;
}

export const fullName = ({ owner, name }: Pick<Repository, 'owner' | 'name'>): string => `${owner}/${name}`;

export const shaOf = (kind: string, content: Buffer | string): string =>
  createHash('sha1')
    .update(`${kind} ${Buffer.byteLength(content)}\0`)
    .update(content)
    .digest('hex');

export function addBlob(repository: Repository, content: Buffer): string {
  const sha = shaOf('blob', content);
  repository.blobs.set(sha, content);
  return sha;
}

export function addTree(repository: Repository, files: Tree): string {
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)));
  const sha = shaOf('tree', JSON.stringify([...sorted]));
  repository.trees.set(sha, sorted);
  return sha;
}

export function addCommit(repository: Repository, commit: Commit): string {
  const sha = shaOf('commit', JSON.stringify(commit));
  repository.commits.set(sha, commit);
  return sha;
}

/** The commit that a branch, a tag or a (short) sha names. */
export function commitAt(repository: Repository, ref: string): string | undefined {
  const plain = ref.replace(/^(?:refs\/)?(?:heads|tags)\//, '');
  const named = repository.branches.get(plain) ?? repository.tags.get(plain);
  if (named !== undefined) return named;
  return /^[0-9a-f]{7,40}$/.test(ref) ? [...repository.commits.keys()].find((sha) => sha.startsWith(ref)) : undefined;
}

export const filesAt = (repository: Repository, sha: string): Tree =>
  repository.trees.get(repository.commits.get(sha)?.tree ?? '') ?? new Map();

/** A commit and all before it, the newest first. */
export function historyOf(repository: Repository, from: string): string[] {
  const seen = new Set<string>();
  const visit = [from];
  for (let sha = visit.shift(); sha !== undefined; sha = visit.shift()) {
    if (seen.has(sha)) continue;
    seen.add(sha);
    visit.push(...(repository.commits.get(sha)?.parents ?? []));
  }
  const date = (sha: string) => repository.commits.get(sha)?.date ?? '';
  return [...seen].sort((a, b) => (date(a) < date(b) ? 1 : -1));
}

export interface Seed extends Partial<Pick<Repository, 'isPrivate' | 'description' | 'topics' | 'languages'>> {
  readonly defaultBranch?: string;
  /** Commits of the default branch, the oldest first: what each writes, by path; null deletes. */
  readonly commits?: readonly {
    readonly message: string;
    readonly login?: string;
    readonly files: Readonly<
      Record<string, string | Buffer | { readonly link: string } | { readonly module: string } | null>
    >;
  }[];
}

export function addRepository(world: World, name: string, seed: Seed = {}): Repository {
  const [owner = '', short = ''] = name.split('/');
  const repository: Repository = {
    id: 1000 + world.repositories.length,
    owner,
    name: short,
    isPrivate: seed.isPrivate ?? false,
    description: seed.description ?? null,
    topics: seed.topics ?? [],
    languages: seed.languages ?? {},
    defaultBranch: seed.defaultBranch ?? 'main',
    branches: new Map(),
    tags: new Map(),
    protectedBranches: new Set(),
    blobs: new Map(),
    trees: new Map(),
    commits: new Map(),
  };
  world.repositories.push(repository);
  for (const { message, login = 'octocat', files } of seed.commits ?? []) {
    const parent = repository.branches.get(repository.defaultBranch);
    const tree = new Map(parent === undefined ? [] : filesAt(repository, parent));
    for (const [path, content] of Object.entries(files))
      if (content === null) tree.delete(path);
      else tree.set(path, entryOf(repository, content));
    const sha = addCommit(repository, {
      tree: addTree(repository, tree),
      parents: parent === undefined ? [] : [parent],
      message,
      login,
      date: world.now(),
    });
    repository.branches.set(repository.defaultBranch, sha);
  }
  return repository;
}

function entryOf(repository: Repository, content: string | Buffer | { link: string } | { module: string }): Entry {
  if (typeof content === 'string' || Buffer.isBuffer(content))
    return { mode: '100644', sha: addBlob(repository, Buffer.from(content)) };
  if ('link' in content) return { mode: '120000', sha: addBlob(repository, Buffer.from(content.link)) };
  return { mode: '160000', sha: content.module };
}
