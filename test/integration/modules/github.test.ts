import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { check } from '../../../src/modules/github/check.ts';
import { connectGithub } from '../../../src/modules/github/connection.ts';
import { githubSettings } from '../../../src/modules/github/settings.ts';
import { common } from '../../../src/modules/settings.ts';
import { githubIsMissing, READER, realGithub, startGithub, TOKEN } from '../../support/github.ts';
import type { GithubServer } from '../../support/github/server.ts';
import {
  addBlob,
  addCommit,
  addRepository,
  addTree,
  commitAt,
  filesAt,
  type Repository,
} from '../../support/github/world.ts';
import type { Json } from '../harness.ts';
import { moduleClient, type ModuleClient } from '../../support/module-client.ts';

/** An Enterprise Server has no limits unless it is told to. */
const UNLIMITED = { status: 404, body: { message: 'Rate limiting is not enabled.' } };

describe.skipIf(githubIsMissing)('github', () => {
  let github: GithubServer;
  let client: ModuleClient;
  let shop: Repository;

  beforeAll(async () => {
    github = await startGithub();
    shop = github.world.find('acme/shop') as Repository;
    client = await moduleClient({
      github: { url: github.url, token: TOKEN, mode: 'read-write', repositories: ['acme/*'] },
    });
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await github[Symbol.asyncDispose]();
  });
  afterEach(() => github.settle());

  const read = <T = Json>(tool: string, params?: Json) => client.read<T>('github', tool, params);
  const call = <T = Json>(tool: string, params?: Json) => client.call<T>('github', tool, params);
  const refused = (tool: string, params?: Json) => client.refused('github', tool, params);
  const bytesAt = (path: string, ref = 'main') =>
    shop.blobs.get(filesAt(shop, commitAt(shop, ref) ?? '').get(path)?.sha ?? '');

  /** Another client of the same GitHub. */
  const otherClient = (section: Json) => moduleClient({ github: { url: github.url, ...section } });

  test('the stand-in notices what GitHub does not describe', async () => {
    const headers = {
      accept: 'application/vnd.github+json',
      'x-github-api-version': '2022-11-28',
      authorization: `Bearer ${TOKEN}`,
    };
    const noticed = async (path: string, init: RequestInit = {}) => {
      await fetch(`${github.url}${path}`, { headers, ...init });
      try {
        github.settle();
        return undefined;
      } catch (error) {
        return (error as Error).message;
      }
    };
    expect(await noticed('/repos/acme/shop/branches?per_page=5')).toBeUndefined();
    expect(await noticed('/repos/acme/shop/branchez')).toContain('not described');
    expect(await noticed('/repos/acme/shop/branches?colour=red')).toContain('colour is unknown');
    expect(await noticed('/repos/acme/shop/branches?per_page=many')).toContain('must be integer');
    expect(await noticed('/repos/acme/shop/branches', { headers: {} })).toContain('x-github-api-version is missing');
    const post = (body: object) => noticed('/repos/acme/shop/git/refs', { method: 'POST', body: JSON.stringify(body) });
    expect(await post({ ref: 'refs/heads/x' })).toContain("must have required property 'sha'");
    expect(await post({ ref: 'refs/heads/x', sha: 'a', more: 1 })).toContain('must NOT have additional properties');
    shop.tags.set('odd', 7 as unknown as string);
    expect(await noticed('/repos/acme/shop/tags')).toContain('answered 200');
    shop.tags.delete('odd');
  });

  test('finds its tools by words', async () => {
    expect(await client.listed()).toEqual(expect.arrayContaining(['github_list', 'github_call', 'github_read']));
    expect(await client.list('github', { query: 'show the git log' })).toContain('list_commits');
    expect(await client.list('github', { query: 'grep the repo' })).toContain('search_code');
  });

  test('its check says whose token it is, or that there is none', async () => {
    const checked = async (token?: string) => {
      const settings = githubSettings.extend(common).parse({ url: github.url, token });
      await using connection = connectGithub(settings, { name: 'github', tls: undefined });
      return await check(connection, new AbortController().signal);
    };
    expect(await checked(TOKEN)).toBe('GitHub as octocat, 4988 of 5000 requests left this hour');
    expect(await checked()).toBe('GitHub without a token: only what is public, 57 of 60 requests left this hour');
    github.fault = ({ path }) =>
      path === '/user' ? { status: 403, body: { message: 'Resource not accessible by integration' } } : undefined;
    expect(await checked(TOKEN)).toContain('GitHub as an app');
    github.fault = ({ path }) => (path === '/rate_limit' ? UNLIMITED : undefined);
    expect(await checked(TOKEN)).toBe('GitHub as octocat, requests are not limited');
  });

  test('says who asks, what is left, and what is allowed', async () => {
    expect(await read('get_context')).toMatchObject({
      login: 'octocat',
      token: 'classic',
      scopes: ['repo', 'workflow'],
      limits: { core: { left: 4988, of: 5000 } },
      repositories: ['acme/*'],
    });
    const many = Array.from({ length: 300 }, (_, n) => `acme/a-repository-with-a-long-name-${n}`);
    await using wide = await otherClient({ token: TOKEN, repositories: many });
    const { repositories, more_repositories } = await wide.read<{ repositories: string[]; more_repositories: number }>(
      'github',
      'get_context',
    );
    expect(repositories.length + more_repositories).toBe(300);
    github.fault = ({ path }) => (path === '/rate_limit' ? UNLIMITED : undefined);
    expect(await read('get_context')).toMatchObject({ login: 'octocat', limits: {} });
  });

  describe('reading', () => {
    test('lists repositories that are allowed, and counts the others', async () => {
      const { repositories, left_out } = await read<{ repositories: Json[]; left_out: number }>('list_repositories');
      expect(repositories.map(({ repo }) => repo)).toEqual(['acme/shop', 'acme/vault']);
      expect(left_out).toBe(1);
      expect(await read('list_repositories', { owner: 'acme', limit: 1 })).toMatchObject({
        repositories: [{ repo: 'acme/shop', language: 'TypeScript' }],
        cursor: expect.any(String),
      });
      expect(await refused('list_repositories', { owner: 'octocat' })).toContain('The account octocat is out of reach');
      addRepository(github.world, 'octocat/notes', { isPrivate: true });
      await using octocat = await otherClient({ token: TOKEN, repositories: ['octocat/*'] });
      const own = await octocat.read('github', 'list_repositories', { owner: 'octocat' });
      expect(own).toMatchObject({ repositories: [{ repo: 'octocat/notes', private: true }] });
    });

    test('shows a repository', async () => {
      expect(await read('get_repository', { repo: 'Acme/SHOP' })).toMatchObject({
        repo: 'acme/shop',
        default_branch: 'main',
        languages: { TypeScript: 90, Shell: 10 },
        topics: ['shop', 'typescript'],
        open_issues: 3,
        may: ['push', 'triage', 'pull'],
      });
    });

    test('lists branches and tags', async () => {
      expect(await read('list_branches', { repo: 'acme/shop' })).toMatchObject({
        branches: [{ name: 'main', protected: true }],
      });
      expect(await read('list_branches', { repo: 'acme/shop', protected: false })).toEqual({ branches: [] });
      expect(await read('list_tags', { repo: 'acme/shop' })).toMatchObject({ tags: [{ name: 'v1.0.0' }] });
    });

    test('lists commits page by page, and by path, author and date', async () => {
      type Commits = { commits: { title: string; date: string; sha: string }[]; cursor?: string };
      const titles = ['Add a logo and links', 'Count the cart', 'Begin'];
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page: Commits = await read('list_commits', { repo: 'acme/shop', limit: 2, ...(cursor && { cursor }) });
        seen.push(...page.commits.map(({ title }) => title));
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(seen).toEqual(titles);
      const only = async (params: Json) =>
        (await read<Commits>('list_commits', { repo: 'acme/shop', ...params })).commits.map(({ title }) => title);
      expect(await only({ path: 'src/cart.ts' })).toEqual(['Count the cart']);
      expect(await only({ author: 'hubot' })).toEqual(['Count the cart']);
      expect(await only({ since: '2030-01-01' })).toEqual([]);
      expect(await only({ ref: 'v1.0.0' })).toEqual(['Begin']);
      expect(await refused('list_commits', { repo: 'acme/shop', limit: 3, cursor: 'nonsense' })).toContain('cursor');
    });

    test('shows what a commit changed', async () => {
      const { commits } = await read<{ commits: { sha: string }[] }>('list_commits', {
        repo: 'acme/shop',
        path: 'src/cart.ts',
      });
      const sha = commits[0]?.sha;
      expect(await read('get_commit', { repo: 'acme/shop', ref: sha })).toMatchObject({
        title: 'Count the cart',
        author: 'hubot',
        files: [
          { path: 'src/cart.ts', status: 'added', added: 1, patch: '@@ -1,0 +1,1 @@\n+export const count = 1;' },
          { path: 'src/old.ts', status: 'removed' },
        ],
      });
      expect(await refused('get_commit', { repo: 'acme/shop', ref: sha, file: 'nope' })).toContain('src/cart.ts');
      expect(await refused('get_commit', { repo: 'acme/shop', ref: 'nope' })).toContain('No commit found');
    });

    test('compares two states, and pages through long patches', async () => {
      const long = 'line "x"\n'.repeat(2000);
      const files = new Map(filesAt(shop, commitAt(shop, 'main') ?? ''));
      for (let n = 0; n < 12; n += 1)
        files.set(`gen/${n}.txt`, { mode: '100644', sha: addBlob(shop, Buffer.from(`${n}\n${long}`)) });
      const parent = commitAt(shop, 'main') as string;
      const commit = {
        tree: addTree(shop, files),
        parents: [parent],
        message: 'Generate',
        login: 'octocat',
        date: github.world.now(),
      };
      shop.branches.set('feature/gen', addCommit(shop, commit));

      type Compared = {
        files: { path: string; patch: string; next_offset?: number }[];
        cursor?: string;
        commits: Json[];
      };
      const asked = { repo: 'acme/shop', base: 'main', head: 'feature/gen' };
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page: Compared = await read('compare', { ...asked, ...(cursor && { cursor }) });
        if (cursor === undefined)
          expect(page).toMatchObject({
            status: 'ahead',
            ahead: 1,
            changed_files: 12,
            commits: [{ title: 'Generate' }],
          });
        seen.push(...page.files.map(({ path }) => path));
        ({ cursor } = page);
      } while (cursor !== undefined);
      expect(seen).toHaveLength(12);
      expect(new Set(seen).size).toBe(12);

      let patch = '';
      let offset: number | undefined = 0;
      while (offset !== undefined) {
        const {
          files: [one],
        }: Compared = await read('compare', { ...asked, file: 'gen/3.txt', offset });
        patch += one?.patch;
        offset = one?.next_offset;
      }
      expect(patch).toContain('@@ -1,0 +1,2001 @@\n+3\n');
      expect(patch.split('\n')).toHaveLength(2002);
      expect(await read('get_commit', { repo: 'acme/shop', ref: 'feature/gen' })).toMatchObject({
        cursor: expect.any(String),
      });
      expect(await refused('compare', { ...asked, head: 'other:secret:main' })).toContain('must be a branch');
    });

    test('reads files, folders, links and submodules', async () => {
      const repo = 'acme/shop';
      expect(await read('get_file', { repo, path: '/README.md' })).toMatchObject({
        type: 'file',
        content: '# Shop\n',
        size: 7,
        sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      });
      expect(await read('get_file', { repo })).toMatchObject({
        type: 'dir',
        entries: expect.arrayContaining([
          { name: 'src', type: 'dir' },
          { name: 'README.md', size: 7 },
        ]),
      });
      expect(await read('get_file', { repo, path: 'src/old.ts', ref: 'v1.0.0' })).toMatchObject({ content: 'gone\n' });
      expect(await read('get_file', { repo, path: 'logo.png' })).toMatchObject({
        encoding: 'base64',
        content: 'iVBORwABAgM=',
      });
      expect(await read('get_file', { repo, path: 'docs/latest.md' })).toMatchObject({ content: '# Shop\n' });
      expect(await read('get_file', { repo, path: 'vendor/lib' })).toMatchObject({
        type: 'submodule',
        target: expect.stringContaining('acme/lib'),
      });
      expect(await refused('get_file', { repo, path: 'nope.txt' })).toContain(
        'has no repos/acme/shop/contents/nope.txt',
      );
      expect(await refused('get_file', { repo, path: '../../other/secret' })).toContain('is not a name');
      expect(await refused('get_file', { repo, path: 'README.md', offset: 7 })).toContain('behind its end');
    });

    test('reads parts of a file of 50 MB without loading it', async () => {
      const bytes = Buffer.alloc(50 * 1024 * 1024, 'abcdefghi\n');
      const files = new Map(filesAt(shop, commitAt(shop, 'main') ?? '')).set('big.log', {
        mode: '100644',
        sha: addBlob(shop, bytes),
      });
      const commit = {
        tree: addTree(shop, files),
        parents: [],
        message: 'Big',
        login: 'octocat',
        date: github.world.now(),
      };
      shop.branches.set('big', addCommit(shop, commit));
      const first = await read('get_file', { repo: 'acme/shop', path: 'big.log', ref: 'big' });
      expect(first).toMatchObject({ size: bytes.length, content: expect.stringMatching(/^abcdefghi\nabc/) });
      const last = { repo: 'acme/shop', path: 'big.log', ref: 'big', offset: bytes.length - 5 };
      expect(await read('get_file', last)).toMatchObject({ content: 'fghi\n'.slice(-5) });
      expect(await read('get_file', last)).not.toHaveProperty('next_offset');
      // GitHub may send it from another host, which must not get the token.
      github.fault = ({ path, accept }) =>
        path.endsWith('big.log') && accept.includes('raw')
          ? { status: 302, headers: { location: github.world.signed(bytes) } }
          : undefined;
      expect(await read('get_file', last)).toMatchObject({ content: 'fghi\n' });
      expect(github.signedRequests).toBe(1);
      github.fault = ({ path, accept }) =>
        path.endsWith('big.log') && accept.includes('raw')
          ? { status: 302, headers: { location: `${github.world.signed(bytes)}x` } }
          : undefined;
      const said = await refused('get_file', last);
      expect(said).toContain('does not have it any more');
      expect(said).not.toContain('secret-signature');
    });

    test('lists all files, by folder and by glob', async () => {
      const repo = 'acme/shop';
      const paths = async (params: Json) =>
        (await read<{ files: { path: string }[] }>('list_tree', { repo, ref: 'main', ...params })).files.map(
          ({ path }) => path,
        );
      expect(await paths({})).toEqual([
        'README.md',
        'docs/latest.md',
        'logo.png',
        'src/cart.ts',
        'src/index.ts',
        'vendor/lib',
      ]);
      expect(await paths({ path: 'src' })).toEqual(['src/cart.ts', 'src/index.ts']);
      expect(await paths({ pattern: '*.md' })).toEqual(['README.md', 'docs/latest.md']);
      expect(await paths({ recursive: false })).toEqual(['README.md', 'docs', 'logo.png', 'src', 'vendor']);
      expect(await read('list_tree', { repo, ref: 'feature/gen', path: 'gen' })).toMatchObject({ total: 12 });
    });

    test('searches within what is allowed only', async () => {
      expect(await read('search_code', { query: 'count' })).toMatchObject({
        total: 1,
        files: [{ repo: 'acme/shop', path: 'src/cart.ts', lines: ['export const count = 1;\n'] }],
      });
      expect(await read('search_repositories', { query: 'acme' })).toMatchObject({ total: 2 });
      expect(await read('search_issues', { query: 'cart is:issue' })).toMatchObject({
        issues: [{ repo: 'acme/shop', number: 1, kind: 'issue', labels: ['bug'] }, { repo: 'acme/vault' }],
      });
      expect(await read('search_issues', { query: 'cart', repo: 'acme/vault' })).toMatchObject({ total: 1 });
      for (const query of ['cart repo:other/secret', 'cart user:other'])
        for (const tool of ['search_issues', 'search_code', 'search_repositories'])
          expect(await refused(tool, { query }), query).toContain('out of reach');
      expect(github.requests.filter((one) => one.includes('other'))).toEqual([]);
      await using narrow = await otherClient({ token: TOKEN, repositories: ['*/sh?p', 'none/*'] });
      const found = await narrow.read('github', 'search_issues', { query: 'cart' });
      expect(found).toMatchObject({ issues: [{ repo: 'acme/shop' }], left_out: 3 });
      expect(found).not.toHaveProperty('total');
    });
  });

  describe('writing', () => {
    test('a branch, a file on it, several files in one commit, and both deleted', async () => {
      const repo = 'acme/shop';
      expect(await call('create_branch', { repo, branch: 'fix/cart' })).toMatchObject({
        from: 'main',
        sha: commitAt(shop, 'main'),
      });
      expect(await refused('create_branch', { repo, branch: 'fix/cart' })).toContain('already has a branch fix/cart');
      expect(await refused('create_branch', { repo, branch: 'bad name' })).toContain('must be the name of a branch');
      expect(await refused('create_branch', { repo, branch: 'x', from: 'nope' })).toContain('No commit found');

      const branch = 'fix/cart';
      const note = { repo, branch, path: 'docs/note ü.md', message: 'Add a note' };
      const made = await call<{ sha: string; created: boolean }>('put_file', { ...note, content: 'größe\n' });
      expect(made.created).toBe(true);
      expect(bytesAt('docs/note ü.md', branch)?.toString()).toBe('größe\n');
      expect(bytesAt('docs/note ü.md')).toBeUndefined();
      expect(await refused('put_file', { ...note, content: 'other' })).toContain(
        'exists already, and nothing was changed',
      );
      expect(await refused('put_file', { ...note, content: 'other', sha: 'a'.repeat(40) })).toContain(
        'has changed since',
      );
      expect(await call('put_file', { ...note, content: 'new\n', sha: made.sha })).toMatchObject({ created: false });
      expect(await refused('put_file', { ...note, path: '.git/config', content: '' })).toContain('.git');
      expect(await refused('put_file', { ...note, path: 'x', content: '?', encoding: 'base64' })).toContain(
        'not base64',
      );

      const head = commitAt(shop, branch) as string;
      const commit = {
        repo,
        branch,
        message: 'Change much',
        files: [
          { path: 'src/cart.ts', content: 'export const count = 2;\n' },
          { path: 'bin/run', content: '#!/bin/sh\n', executable: true },
          { path: 'pixel.gif', content: 'AAEC', encoding: 'base64' },
          { path: 'docs/note ü.md', delete: true },
        ],
      };
      expect(await refused('commit_files', { ...commit, head: 'a'.repeat(40) })).toContain('has moved');
      expect(await call('commit_files', { ...commit, head })).toMatchObject({ count: 4, deleted: ['docs/note ü.md'] });
      expect(shop.commits.get(commitAt(shop, branch) ?? '')).toMatchObject({ parents: [head], message: 'Change much' });
      expect(bytesAt('pixel.gif', branch)).toEqual(Buffer.from([0, 1, 2]));
      expect(filesAt(shop, commitAt(shop, branch) ?? '').get('bin/run')?.mode).toBe('100755');
      expect(bytesAt('docs/note ü.md', branch)).toBeUndefined();
      const again = { ...commit, files: commit.files.slice(0, 1) };
      expect(await refused('commit_files', again)).toContain('Nothing was committed');
      expect(await refused('commit_files', { ...commit, branch: 'nope' })).toContain('has no branch nope');
      expect(await refused('commit_files', { ...commit, files: [{ path: 'x' }] })).toContain(
        'either content or delete',
      );

      const gone = await client.confirmed('github', 'delete_file', { repo, branch, path: 'pixel.gif' });
      expect(gone.question).toContain('pixel.gif (3 bytes) of acme/shop on fix/cart');
      expect(bytesAt('pixel.gif', branch)).toBeUndefined();
      expect(await refused('delete_file', { repo, branch, path: 'src' })).toContain('is a folder');
      expect(await refused('delete_file', { repo, branch, path: 'pixel.gif' })).toContain('has no');

      const { question } = await client.confirmed('github', 'delete_branch', { repo, branch });
      expect(question).toMatch(/Deletes the branch fix\/cart of acme\/shop.*4 commits that main lacks/);
      expect(shop.branches.has(branch)).toBe(false);
      expect(await refused('delete_branch', { repo, branch: 'main' })).toContain('never deleted');
      expect(await refused('delete_branch', { repo, branch: 'nope' })).toContain('has no branch');
      // The branch of the pages begins with a commit of its own.
      shop.branches.set('gh-pages', commitAt(shop, 'main') as string);
      github.fault = ({ path }) =>
        path.includes('/compare/') ? { status: 404, body: { message: 'No common ancestor' } } : undefined;
      const pages = await client.confirmed('github', 'delete_branch', { repo, branch: 'gh-pages' });
      expect(pages.question).toContain('shares no commit with main');
    });

    test('a push of somebody else meanwhile is not overwritten', async () => {
      shop.branches.set('raced', commitAt(shop, 'main') as string);
      github.fault = ({ method, path }) => {
        if (method !== 'PATCH' || !path.endsWith('/raced')) return undefined;
        shop.branches.set('raced', commitAt(shop, 'feature/gen') as string);
        return undefined;
      };
      const files = [{ path: 'x', content: 'y' }];
      const asked = { repo: 'acme/shop', branch: 'raced', message: 'Race', files };
      expect(await refused('commit_files', asked)).toContain('Somebody pushed to raced meanwhile');
      expect(commitAt(shop, 'raced')).toBe(commitAt(shop, 'feature/gen'));
    });

    test('an empty repository says so, and gets its first file', async () => {
      const empty = addRepository(github.world, 'acme/empty');
      expect(await refused('list_commits', { repo: 'acme/empty' })).toContain('github_put_file');
      const first = { repo: 'acme/empty', path: 'README.md', content: '# New', message: 'Begin' };
      expect(await call('put_file', first)).toMatchObject({ created: true });
      expect(empty.branches.size).toBe(1);
    });

    test('a lost connection is not repeated', async () => {
      github.fault = ({ method }) => (method === 'PUT' ? 'cut' : undefined);
      const before = github.requests.length;
      const asked = { repo: 'acme/shop', path: 'lost.txt', content: 'x', message: 'Lost', branch: 'big' };
      expect(await refused('put_file', asked)).toContain('may or may not have taken effect');
      expect(github.requests.slice(before)).toHaveLength(1);
    });

    test('read-only offers nothing that changes', async () => {
      await using reader = await otherClient({ token: TOKEN, repositories: ['acme/*'] });
      expect(await reader.listed()).not.toContain('github_read');
      expect(await reader.refused('github', 'put_file', { repo: 'acme/shop' })).toContain('read-only');
    });

    test('a token that may not write hears which permission it needs', async () => {
      await using reader = await otherClient({ token: READER, mode: 'read-write', repositories: ['acme/*'] });
      const asked = { repo: 'acme/shop', path: 'x', content: 'x', message: 'x' };
      expect(await reader.refused('github', 'put_file', asked)).toContain('needs the permission contents=write');
    });
  });

  describe('what is not allowed', () => {
    test('is refused before anything is sent', async () => {
      const before = github.requests.length;
      for (const [tool, params] of [
        ['get_repository', {}],
        ['list_branches', {}],
        ['list_commits', {}],
        ['get_commit', { ref: 'main' }],
        ['compare', { base: 'main', head: 'x' }],
        ['get_file', { path: 'plan.md' }],
        ['list_tree', {}],
        ['search_code', { query: 'plan' }],
        ['create_branch', { branch: 'x' }],
        ['put_file', { path: 'x', content: 'x', message: 'x' }],
        ['commit_files', { branch: 'x', message: 'x', files: [{ path: 'x', content: 'x' }] }],
        ['delete_file', { path: 'plan.md' }],
        ['delete_branch', { branch: 'x' }],
      ] as const)
        expect(await refused(tool, { repo: 'Other/Secret', ...params }), tool).toMatch(
          /other\/secret is out of reach: modules\.github\.repositories in sluice\.yaml allows acme\/\*/,
        );
      expect(github.requests.slice(before)).toEqual([]);
    });

    test('stays so when a repository is renamed', async () => {
      const { world } = github;
      const moved = addRepository(world, 'acme/new-name', { commits: [{ message: 'Here', files: { a: 'a' } }] });
      world.formerNames.set('acme/old-name', moved);
      expect(await read('get_repository', { repo: 'acme/old-name' })).toMatchObject({ repo: 'acme/new-name' });
      expect(await read('get_file', { repo: 'acme/old-name', path: 'a' })).toMatchObject({ content: 'a' });
      const write = { repo: 'acme/old-name', path: 'b', content: 'b', message: 'b' };
      expect(await refused('put_file', write)).toContain('is now called acme/new-name. Nothing was done');
      const secret = world.find('other/secret') as Repository;
      world.formerNames.set('acme/moved-away', secret);
      expect(await refused('get_file', { repo: 'acme/moved-away', path: 'plan.md' })).toContain(
        'acme/moved-away is now called other/secret, which is out of reach',
      );
    });
  });

  describe('when something is wrong', () => {
    const aRead = () => refused('list_branches', { repo: 'acme/shop' });

    test('short limits are waited for', async () => {
      let limited = 0;
      github.fault = () => {
        limited += 1;
        return limited === 1
          ? { status: 429, headers: { 'retry-after': '0' }, body: { message: 'Slow down' } }
          : undefined;
      };
      expect(await read('list_tags', { repo: 'acme/shop' })).toMatchObject({ tags: [{ name: 'v1.0.0' }] });
      expect(limited).toBe(2);
    });

    test('long limits say when to try again', async () => {
      const reset = String(Math.round(Date.now() / 1000) + 1800);
      github.fault = () => ({
        status: 403,
        headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset },
        body: { message: 'API rate limit exceeded' },
      });
      expect(await aRead()).toMatch(/limits requests, and nothing was done\. Try again in 1[78]\d\d s/);
      await using nobody = await otherClient({});
      expect(await nobody.refused('github', 'list_branches', { repo: 'acme/shop' })).toContain('60 requests an hour');
    });

    test.each<[string, RegExp, Json]>([
      ['GitHub fails', /failed \(HTTP 502\).*githubstatus/, { status: 502, body: { message: 'Server Error' } }],
      [
        'a proxy answers',
        /is not GitHub's API.*modules\.github\.url/,
        { status: 403, raw: Buffer.from('<html>'), type: 'text/html' },
      ],
      [
        'garbage comes',
        /something else than GitHub's API/,
        { raw: Buffer.from('<html>login</html>'), type: 'text/html' },
      ],
      ['another shape comes', /something else than GitHub's API/, { body: { hello: 'world' } }],
      [
        'a login page is in between',
        /redirects to another address/,
        { status: 302, headers: { location: 'https://login.example.com/' } },
      ],
      [
        'single sign-on is missing',
        /Configure SSO/,
        {
          status: 403,
          headers: { 'x-github-sso': 'required; url=https://github.com/orgs/acme/sso?authorization_request=AZ' },
          body: { message: 'SAML' },
        },
      ],
      ['far too much comes', /more than 16384 KB/, { raw: Buffer.alloc(17 * 1024 * 1024, ' ') }],
      [
        'it circles',
        /redirects to another address/,
        { status: 301, headers: { location: '/api/v3/repos/acme/shop/branches' } },
      ],
    ])('%s', async (_, said, reply) => {
      github.fault = () => reply;
      expect(await aRead()).toMatch(said);
    });

    test('a slow GitHub is not waited for longer than allowed', async () => {
      await using hasty = await otherClient({ token: TOKEN, timeout: '300ms' });
      github.fault = () => 'hang';
      expect(await hasty.refused('github', 'get_context')).toMatch(/took longer than 0\.3 s.*modules\.github\.timeout/);
    });

    test('a wrong token is said to be so, and appears nowhere', async () => {
      const token = `github_pat_${randomBytes(8).toString('hex')}`;
      await using stranger = await otherClient({ token });
      const said = await stranger.refused('github', 'get_context');
      expect(said).toMatch(/refuses the token \(Bad credentials.*modules\.github\.token/);
      expect(said + JSON.stringify(stranger.health('github'))).not.toContain(token);
    });

    test('without a token what is public can be read', async () => {
      await using nobody = await otherClient({});
      expect(await nobody.read('github', 'get_context')).toMatchObject({ token: 'none', limits: { core: { of: 60 } } });
      expect(await nobody.read('github', 'get_file', { repo: 'acme/shop', path: 'README.md' })).toMatchObject({
        size: 7,
      });
      expect(await nobody.refused('github', 'get_repository', { repo: 'acme/vault' })).toContain('or it is private');
      expect(await nobody.refused('github', 'search_code', { query: 'x' })).toContain('needs a token');
      expect(await nobody.refused('github', 'list_repositories')).toContain('Name an owner');
      expect(await nobody.read('github', 'list_repositories', { owner: 'acme' })).toMatchObject({
        repositories: expect.arrayContaining([expect.objectContaining({ repo: 'acme/shop' })]),
      });
    });

    test('bad arguments are explained', async () => {
      expect(await refused('get_repository', { repo: 'shop' })).toContain('owner/name');
      expect(await refused('get_repository', { repo: 'acme/..' })).toMatch(/owner\/name|not a name/);
      expect(await refused('list_commits', { repo: 'acme/shop', since: 'yesterday' })).toContain('2026-01-31');
      expect(await refused('list_branches', { repo: 'acme/shop', limit: 0 })).toContain('limit');
      expect(await refused('list_branches', { repo: 'acme/shop', colour: 'red' })).toContain('colour');
    });
  });

  test('read-write needs a list of repositories', async () => {
    await expect(otherClient({ token: TOKEN, mode: 'read-write' })).rejects.toThrow('repositories');
    await expect(otherClient({ token: TOKEN, repositories: ['acme'] })).rejects.toThrow('is not a repository');
  });
});

describe.skipIf(realGithub === undefined)('GitHub itself', () => {
  let client: ModuleClient;
  const repo = realGithub?.repo ?? '';
  beforeAll(async () => {
    client = await moduleClient({ github: { ...realGithub?.section, repositories: [repo] } });
  });
  afterAll(() => client[Symbol.asyncDispose]());

  test('reads a repository', async () => {
    const read = <T = Json>(tool: string, params: Json = {}) => client.read<T>('github', tool, params);
    expect(await read('get_context')).toMatchObject({ repositories: [repo] });
    const { default_branch: ref } = await read<{ default_branch: string }>('get_repository', { repo });
    expect(await read('list_branches', { repo })).toMatchObject({ branches: expect.any(Array) });
    expect(await read('list_tags', { repo })).toMatchObject({ tags: expect.any(Array) });
    const { commits } = await read<{ commits: { sha: string }[] }>('list_commits', { repo });
    expect(await read('get_commit', { repo, ref: commits[0]?.sha })).toMatchObject({ files: expect.any(Array) });
    expect(await read('compare', { repo, base: ref, head: ref })).toMatchObject({ status: 'identical' });
    const { files } = await read<{ files: { path: string }[] }>('list_tree', { repo });
    expect(await read('get_file', { repo, path: files[0]?.path })).toMatchObject({ type: expect.any(String) });
    expect(await read('get_file', { repo })).toMatchObject({ type: 'dir' });
    expect(await read('search_issues', { query: 'is:issue' })).toMatchObject({ issues: expect.any(Array) });
    expect(await read('search_repositories', { query: repo.split('/')[1] })).toMatchObject({
      repositories: [{ repo }],
    });
  });
});
