/** A tour of issues, pull requests, actions and releases of the module github, through a real MCP client. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { githubIsMissing, READER, realGithub, startGithub, TOKEN } from '../../support/github.ts';
import type { GithubServer } from '../../support/github/server.ts';
import { addIssue, addPull, push, type RunState, workIn } from '../../support/github/work.ts';
import { addRepository, type Repository } from '../../support/github/world.ts';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';

const repo = 'acme/shop';

interface Pulled {
  pull: { number: number; head_sha: string; state: string };
  merge: string;
  checks?: object;
}
interface Logged {
  log: string;
  total_lines?: number;
  matched_lines?: number;
  next_from?: number;
}

describe.skipIf(githubIsMissing)('github, at work', () => {
  let github: GithubServer;
  let client: ModuleClient;
  let shop: Repository;

  beforeAll(async () => {
    github = await startGithub();
    shop = github.world.find(repo) as Repository;
    const section = { type: 'github', url: github.url, repositories: ['acme/*'] };
    client = await moduleClient({
      github: { ...section, token: TOKEN, mode: 'read-write' },
      'github-shown': { ...section, token: TOKEN },
      'github-reader': { ...section, token: READER, mode: 'read-write' },
      'github-anonymous': { ...section, mode: 'read-write' },
    });
  }, 60_000);
  afterAll(async () => {
    await client?.[Symbol.asyncDispose]();
    await github?.[Symbol.asyncDispose]();
  });
  afterEach(() => github.settle());

  const read = <T>(tool: string, params = {}) => client.read<T>('github', tool, { repo, ...params });
  const call = <T>(tool: string, params = {}) => client.call<T>('github', tool, { repo, ...params });
  const refused = (tool: string, params = {}) => client.refused('github', tool, { repo, ...params });
  const confirmed = (tool: string, params = {}) => client.confirmed('github', tool, { repo, ...params });

  /** Every item of a list, page by page. */
  async function all<T>(tool: string, key: string, params = {}): Promise<T[]> {
    const items: T[] = [];
    let cursor: string | undefined;
    do {
      const page = await read<Record<string, unknown>>(tool, { ...params, ...(cursor !== undefined && { cursor }) });
      items.push(...(page[key] as T[]));
      cursor = page.cursor as string | undefined;
    } while (cursor !== undefined);
    return items;
  }

  describe('finds', () => {
    test.each([
      ['close an issue', 'github_update_issue'],
      ['why did the build fail', 'github_get_job_log'],
      ['merge the PR', 'github_merge_pull'],
      ['release notes', 'github_get_release'],
    ])('%s', async (query, tool) => {
      expect(await client.list('github', { query })).toContain(tool);
    });

    test('only tools that read, where the section is read-only', async () => {
      const list = await client.list('github-shown');
      expect(list).toContain('github-shown_list_issues');
      expect(list).not.toContain('create_issue');
      expect(await client.refused('github-shown', 'create_issue', { repo, title: 'x' })).toContain('read-only');
    });
  });

  describe('issues', () => {
    test('are created, labelled, commented on, and closed', async () => {
      const { issue } = await call<{ issue: { number: number } }>('create_issue', {
        title: 'The cart forgets',
        body: '<!-- Describe -->\r\nIt forgets **everything**.',
        labels: ['bug'],
        assignees: ['hubot'],
        milestone: 1,
      });
      expect(issue).toMatchObject({
        title: 'The cart forgets',
        state: 'open',
        author: 'octocat',
        labels: ['bug'],
        assignees: ['hubot'],
        milestone: 'Autumn',
      });
      const { number } = issue;
      const comment = await call<{ id: number; url: string }>('add_comment', { number, body: 'I saw it, too.' });
      expect(comment.url).toContain(`issuecomment-${comment.id}`);
      expect(await read('get_issue', { number })).toMatchObject({
        issue: { number, comments: 1 },
        body: 'It forgets **everything**.',
        comments: [{ id: comment.id, author: 'octocat', body: 'I saw it, too.' }],
      });
      expect(
        await call('update_issue', { number, add_labels: ['cart', 'BUG'], remove_labels: ['none'], milestone: null }),
      ).toMatchObject({ issue: { labels: ['bug', 'cart'] } });
      expect(
        await call('update_issue', { number, state: 'closed', state_reason: 'not_planned', labels: [] }),
      ).toMatchObject({ issue: { state: 'closed', state_reason: 'not_planned' } });
      const { issues } = await read<{ issues: object[] }>('list_issues', { state: 'closed' });
      expect(issues).toEqual([expect.objectContaining({ number })]);
    });

    test('are listed without pull requests, over many pages', async () => {
      const many = addRepository(github.world, 'acme/many', { commits: [{ message: 'x', files: { a: 'a\n' } }] });
      push(github.world, many, 'b', { a: 'b\n' });
      for (let n = 1; n <= 70; n += 1)
        if (n % 2 === 0) addPull(github.world, many, { head: 'b', title: `Pull ${n}` });
        else addIssue(github.world, many, { title: `Issue ${n} ${'ü'.repeat(200)}`, labels: n < 20 ? ['old'] : [] });
      const found = await all<{ number: number }>('list_issues', 'issues', { repo: 'acme/many' });
      expect(found.map(({ number }) => number)).toEqual(Array.from({ length: 35 }, (_, n) => 69 - 2 * n));
      const old = await all<object>('list_issues', 'issues', { repo: 'acme/many', labels: ['old'], limit: 3 });
      expect(old).toHaveLength(10);
      expect(await refused('list_issues', { cursor: 'nonsense' })).toContain('cursor');
    });

    test('with long texts are read part by part', async () => {
      const text = 'Zeile mit Umlaut ü und "Zitat".\n'.repeat(400).trim();
      const { number } = addIssue(github.world, shop, { body: text });
      const comments = Array.from({ length: 25 }, (_, n) => ({
        id: 90_000 + n,
        login: 'hubot',
        body: text,
        at: '2026-01-01T00:00:00Z',
      }));
      workIn(shop).comments.set(number, comments);
      const first = await read<{ body: string; body_next_offset: number; comments: { next_offset: number }[] }>(
        'get_issue',
        { number },
      );
      expect(first.body_next_offset).toBe(first.body.length);
      expect(first.comments[0]?.next_offset).toBeGreaterThan(0);
      expect(await all('get_issue', 'comments', { number })).toHaveLength(25);
      for (const which of [{ number }, { comment: 90_003 }]) {
        let whole = '';
        let offset: number | undefined = 0;
        while (offset !== undefined) {
          const part: { body?: string; next_offset?: number } = await read('get_comment', { ...which, offset });
          whole += part.body ?? '';
          offset = part.next_offset;
        }
        expect(whole).toBe(text);
      }
      expect(await refused('get_comment', {})).toContain('either comment');
    });

    test('labels and milestones are listed', async () => {
      workIn(shop).labels.push({ name: 'bug', description: 'Something is wrong' }, { name: 'docs', description: null });
      expect(await read('list_labels')).toEqual({
        labels: [{ name: 'bug', description: 'Something is wrong' }, { name: 'docs' }],
      });
      expect(await read('list_milestones')).toMatchObject({
        milestones: [
          { number: 1, title: 'Autumn' },
          { number: 2, title: 'Winter' },
        ],
      });
    });

    test('that are locked, deleted, missing or switched off are explained', async () => {
      const locked = addIssue(github.world, shop, { locked: true });
      expect(await refused('add_comment', { number: locked.number, body: 'x' })).toContain('is locked');
      const deleted = addIssue(github.world, shop, { deleted: true });
      expect(await refused('get_issue', { number: deleted.number })).toContain('This issue was deleted');
      expect(await refused('get_issue', { number: 9999 })).toContain('has no repos/acme/shop/issues/9999');
      const off = addRepository(github.world, 'acme/off');
      workIn(off).hasIssues = false;
      expect(await refused('create_issue', { repo: 'acme/off', title: 'x' })).toContain('Issues are disabled');
    });

    test('refuses bad input before anything is sent', async () => {
      const before = github.requests.length;
      expect(await refused('create_issue', { title: '  ' })).toContain('title');
      expect(await refused('create_issue', { title: 'x', assignees: ['../x'] })).toContain('user name');
      expect(await refused('update_issue', { number: 1 })).toContain('Nothing to change');
      expect(await refused('update_issue', { number: 1, labels: [], add_labels: ['x'] })).toContain('either labels');
      expect(await refused('get_issue', { number: 0 })).toContain('number');
      expect(await refused('list_issues', { repo: 'acme' })).toContain('owner/name');
      expect(await refused('get_issue', { repo: 'other/secret', number: 1 })).toContain('is out of reach');
      expect(await refused('add_comment', { repo: 'other/secret', number: 1, body: 'x' })).toContain('is out of reach');
      expect(github.requests).toHaveLength(before);
      expect(await refused('create_issue', { title: 'x', milestone: 77 })).toContain('Issue.milestone is not valid');
    });

    test('of a token that may only read', async () => {
      const given = { repo, title: 'Hello', labels: ['bug'] };
      expect(await client.call('github-reader', 'create_issue', given)).toMatchObject({
        note: expect.stringContaining('GitHub ignored labels'),
      });
      expect(await client.refused('github-reader', 'update_issue', { repo, number: 1, title: 'x' })).toMatch(
        /needs the permission .*modules.github-reader|modules.github-reader.* needs the permission/,
      );
      expect(await client.refused('github-anonymous', 'create_issue', { repo, title: 'x' })).toContain('needs a token');
    });
  });

  describe('pull requests', () => {
    test('are opened, reviewed, and merged exactly as they were looked at', async () => {
      const old = push(github.world, shop, 'cart', { 'src/cart.ts': 'export const count = 2;\n', 'new.md': 'Hi\n' });
      const { pull } = await call<Pulled>('create_pull', { title: 'Count twice', head: 'cart', body: 'Because.' });
      expect(pull).toMatchObject({ state: 'open', head: 'cart', base: 'main', head_sha: old, author: 'octocat' });
      const { number } = pull;
      expect(await refused('create_pull', { title: 'Again', head: 'cart' })).toContain('already exists');
      expect(await refused('create_pull', { title: 'x', head: 'nowhere' })).toContain('PullRequest.head is not valid');
      expect(await call('update_pull', { number, title: 'Count it twice' })).toMatchObject({
        pull: { title: 'Count it twice' },
      });
      workIn(shop).checks.set(old, [
        { id: 1, name: 'build', status: 'completed', conclusion: 'success' },
        { id: 2, name: 'lint', status: 'completed', conclusion: 'failure' },
      ]);
      workIn(shop).statuses.set(old, [{ context: 'ci/old', state: 'pending' }]);
      expect(await read<Pulled>('get_pull', { number })).toMatchObject({
        pull: { number, head_sha: old },
        merge: 'can be merged',
        checks: { state: 'failure', passed: 1, failed: 1, pending: 1, failing: ['lint'], waiting: ['ci/old'] },
        reviews: { approved_by: [], changes_requested_by: [], commented_by: [] },
        commits: 1,
        changed_files: 2,
        body: 'Because.',
      });
      expect(await read('list_pull_files', { number })).toEqual({
        files: [
          { path: 'new.md', status: 'added', additions: 1, deletions: 0 },
          { path: 'src/cart.ts', status: 'modified', additions: 1, deletions: 1 },
        ],
      });
      expect(await read('get_pull_diff', { number })).toEqual({
        files: [
          { path: 'new.md', status: 'added', diff: '@@ -0,0 +1,1 @@\n+Hi' },
          {
            path: 'src/cart.ts',
            status: 'modified',
            diff: '@@ -1,1 +1,1 @@\n-export const count = 1;\n+export const count = 2;',
          },
        ],
        total_files: 2,
      });

      const stale = await confirmed('merge_pull', { number, sha: old }).catch(String);
      expect(stale).toMatchObject({
        question: expect.stringContaining(`acme/shop#${number} "Count it twice" (merge): 1 commit of cart at`),
      });
      expect(stale).toMatchObject({ question: expect.stringContaining('1 of 3 checks failed: lint.') });
      expect(stale).toMatchObject({ result: { merged: true } });
      expect(await read<Pulled>('get_pull', { number })).toMatchObject({
        pull: { state: 'merged' },
        merge: 'merged',
        merged_by: 'octocat',
      });
      expect(await refused('merge_pull', { number, sha: old })).toContain('is merged already');
    });

    test('are not merged after somebody pushed, neither before the question nor after it', async () => {
      const sha = push(github.world, shop, 'race', { 'race.md': '1\n' });
      const { number } = addPull(github.world, shop, { head: 'race', title: 'Race' });
      const question = await refused('merge_pull', { number, sha });
      const confirm = /"confirm": "([^"]+)"/.exec(question)?.[1];
      const newer = push(github.world, shop, 'race', { 'race.md': '2\n' });
      expect(await refused('merge_pull', { number, sha })).toContain(`its head is now ${newer}`);
      expect(await refused('merge_pull', { number, sha, confirm })).toMatch(/was not merged: its head has changed/);
      expect(await refused('merge_pull', { number })).toContain('sha');
      expect(await refused('merge_pull', { number, sha: 'main' })).toContain('whole commit id');
    });

    test('that cannot be merged are refused before anybody is asked', async () => {
      const sha = push(github.world, shop, 'bad', { 'bad.md': '1\n' });
      const merge = async (state: object) => {
        const { number, pull } = addPull(github.world, shop, { head: 'bad', ...state });
        return { number, pull, said: await refused('merge_pull', { number, sha }) };
      };
      expect((await merge({ hasConflicts: true, unknownLooks: 1 })).said).toContain('conflicts with main');
      expect((await merge({ draft: true })).said).toContain('is a draft');
      const blocked = await merge({ mergeableState: 'blocked' });
      expect(blocked.said).toContain('GitHub says: blocked');
      const { number, pull } = await merge({});
      pull.mergeableState = 'blocked';
      const refusedLater = await confirmed('merge_pull', { number, sha }).catch(String);
      expect(refusedLater).toContain('was not merged: GitHub says that it cannot be');
      pull.mergeableState = 'clean';
      expect(await confirmed('merge_pull', { number, sha, method: 'rebase' }).catch(String)).toContain(
        'does not allow this method',
      );
      await call('update_pull', { number, state: 'closed' });
      expect(await refused('merge_pull', { number, sha })).toContain('is closed');
    });

    test('are reviewed with comments on lines; approving asks first', async () => {
      const sha = push(github.world, shop, 'review', { 'r.ts': '1\n2\n3\n' });
      const { number } = addPull(github.world, shop, { head: 'review', title: 'Review me' });
      expect(
        await call('create_review', {
          number,
          event: 'request_changes',
          body: 'Please fix.',
          comments: [{ path: 'r.ts', line: 3, start_line: 2, body: 'Why?' }],
        }),
      ).toMatchObject({ state: 'changes_requested' });
      const { comments } = await read<{ comments: { id: number }[] }>('list_review_comments', { number });
      expect(comments).toEqual([expect.objectContaining({ path: 'r.ts', line: 3, author: 'octocat', body: 'Why?' })]);
      expect(await read('get_comment', { comment: comments[0]?.id, is_review_comment: true })).toMatchObject({
        body: 'Why?',
      });
      const { question, result } = await confirmed('approve_pull', { number, sha });
      expect(question).toContain(`Approves the pull request acme/shop#${number} "Review me"`);
      expect(result).toMatchObject({ state: 'approved' });
      expect(await read('get_pull', { number })).toMatchObject({
        reviews: { approved_by: ['octocat'], changes_requested_by: [] },
      });
      const { reviews } = await read<{ reviews: object[] }>('list_reviews', { number });
      expect(reviews).toEqual([
        expect.objectContaining({ state: 'changes_requested', body: 'Please fix.' }),
        expect.objectContaining({ state: 'approved', sha }),
      ]);

      const comment = { number, event: 'comment', body: 'x' };
      expect(
        await refused('create_review', { ...comment, comments: [{ path: 'r.ts', line: 9, body: 'x' }] }),
      ).toContain('a line that the diff does not have');
      expect(await refused('create_review', { number, event: 'comment' })).toContain('body');
      expect(await refused('create_review', { ...comment, event: 'approve' })).toContain('event');
      expect(await refused('approve_pull', { number })).toContain('sha');
      expect(await refused('approve_pull', { number, sha: 'a'.repeat(40) })).toContain('has other commits');
      const reversed = [{ path: 'r.ts', line: 2, start_line: 3, body: 'x' }];
      expect(await refused('create_review', { ...comment, comments: reversed })).toContain('must be before line 2');
      expect(await refused('approve_pull', { number, sha, comments: reversed })).toContain('must be before line 2');
      const own = addPull(github.world, shop, { head: 'review', login: 'octocat' });
      expect(await refused('create_review', { ...comment, number: own.number, event: 'request_changes' })).toContain(
        'You opened this pull request',
      );
    });

    test('get reviewers, and are brought up to date', async () => {
      const sha = push(github.world, shop, 'behind', { 'b.ts': '1\n' });
      const { number } = addPull(github.world, shop, { head: 'behind', mergeableState: 'behind' });
      expect(await call('request_reviewers', { number, reviewers: ['octocat'] })).toMatchObject({
        pull: { requested_reviewers: ['octocat'] },
      });
      expect(await refused('request_reviewers', { number, reviewers: ['hubot'] })).toContain('not the author');
      expect(await refused('request_reviewers', { number })).toContain('Say reviewers');
      expect((await read<Pulled>('get_pull', { number })).merge).toContain('github_update_pull_branch');
      expect(await call('update_pull_branch', { number, sha })).toMatchObject({
        message: expect.stringContaining('Updating pull request branch.'),
      });
      expect(await refused('update_pull_branch', { number, sha })).toContain('expected head sha');
      const { pulls } = await read<{ pulls: object[] }>('list_pulls', { head: 'behind' });
      expect(pulls).toEqual([expect.objectContaining({ number })]);
      expect(await read('list_pulls', { head: 'nothing' })).toEqual({ pulls: [] });
    });

    test('with a long diff are read file by file', async () => {
      const long = Array.from({ length: 900 }, (_, n) => `const line${n} = "${'x'.repeat(n % 90)}";`);
      push(github.world, shop, 'long', {
        'a.ts': `${long.join('\n')}\n`,
        'b.min.js': `${'y'.repeat(60_000)}\n`,
        'c/d.bin': '\0\n',
        'c/ü.md': 'ü\n',
      });
      const { number } = addPull(github.world, shop, { head: 'long' });
      const parts = await all<{ path: string; diff: string }>('get_pull_diff', 'files', { number });
      const whole = parts.filter(({ path }) => path === 'a.ts').map(({ diff }) => diff);
      expect(whole.join('\n')).toBe(['@@ -0,0 +1,900 @@', ...long.map((line) => `+${line}`)].join('\n'));
      expect(parts.find(({ path }) => path === 'b.min.js')?.diff).toContain('(60001 characters)');
      expect(await read('get_pull_diff', { number, path: 'c/' })).toMatchObject({
        files: [
          { path: 'c/d.bin', diff: '(binary file)' },
          { path: 'c/ü.md', status: 'added' },
        ],
      });
      expect(await refused('get_pull_diff', { number, path: 'nothing.ts' })).toContain('does not change nothing.ts');
    });

    test('whose diff GitHub refuses are still read by path', async () => {
      const files = Object.fromEntries(Array.from({ length: 130 }, (_, n) => [`many/${n + 100}.ts`, `${n}\n`]));
      push(github.world, shop, 'huge', files);
      const { number } = addPull(github.world, shop, { head: 'huge', isTooLarge: true });
      expect(await refused('get_pull_diff', { number })).toContain('github_list_pull_files');
      expect(await read('get_pull_diff', { number, path: 'many/229.ts' })).toEqual({
        files: [{ path: 'many/229.ts', status: 'added', diff: '@@ -0,0 +1,1 @@\n+129' }],
        total_files: 1,
      });
      expect(await all('list_pull_files', 'files', { number })).toHaveLength(130);
    });

    test('with very much of everything fit into a reply', async () => {
      const sha = push(github.world, shop, 'much', { 'm.md': 'm\n' });
      const wide = (text: string, n: number) => `${text} ${n} ${'漢'.repeat(40)}`;
      const found = addPull(github.world, shop, {
        head: 'much',
        title: '漢'.repeat(250),
        body: '漢字"\n'.repeat(3000),
        reviewers: Array.from({ length: 40 }, (_, n) => `reviewer-${n}`),
        reviews: Array.from({ length: 130 }, (_, n) => ({
          id: n + 1,
          login: `somebody-with-a-long-name-${n}`,
          state: n < 120 ? 'CHANGES_REQUESTED' : 'APPROVED',
          body: '漢字'.repeat(2000),
          sha,
          at: '2026-01-01T00:00:00Z',
          comments: [],
        })),
      });
      found.labels = Array.from({ length: 60 }, (_, n) => wide('label', n).slice(0, 50));
      const { number } = found;
      const work = workIn(shop);
      work.comments.set(number, [
        { id: 80_000, login: 'hubot', body: '漢字"'.repeat(999), at: '2026-01-01T00:00:00Z' },
      ]);
      work.checks.set(
        sha,
        Array.from({ length: 250 }, (_, n) => ({
          id: n + 1,
          name: wide('check', n),
          status: 'completed' as const,
          conclusion: 'failure',
        })),
      );
      work.statuses.set(
        sha,
        Array.from({ length: 50 }, (_, n) => ({ context: wide('status', n), state: n === 49 ? 'error' : 'success' })),
      );
      expect(await read('get_pull', { number })).toMatchObject({
        checks: { failed: 251, passed: 49 },
        reviews: { approved_by: expect.any(Array), changes_requested_by: expect.any(Array) },
        next_offset: expect.any(Number),
      });
      expect(await read('get_issue', { number })).toMatchObject({ is_pull: true, comments: [{ id: 80_000 }] });
      expect(await read('list_pulls', { head: 'much' })).toMatchObject({ pulls: [{ number }] });
      expect(await all('list_reviews', 'reviews', { number, limit: 100 })).toHaveLength(130);
      const first = await read<{ statuses: object[] }>('list_checks', { ref: 'much' });
      expect(first.statuses[0]).toMatchObject({ verdict: 'failed' });
      expect(await all('list_checks', 'checks', { ref: 'much', limit: 100 })).toHaveLength(250);
    });

    test('lead into no fork that is not allowed', async () => {
      const before = github.requests.length;
      const said = await refused('create_pull', { title: 'x', head: 'Other:secret' });
      expect(said).toContain('The account other is out of reach');
      expect(github.requests).toHaveLength(before);
      push(github.world, shop, 'forked', { 'fork.ts': '1\n' });
      const { number } = addPull(github.world, shop, { head: 'forked' });
      const head = { ref: 'forked', sha: 'a'.repeat(40), repo: { full_name: 'other/shop' } };
      github.fault = ({ method, path }) =>
        method === 'GET' && path === `/repos/acme/shop/pulls/${number}` ? { body: { head } } : undefined;
      expect(await refused('update_pull_branch', { number })).toContain('The repository other/shop is out of reach');
      expect(github.requests.some((one) => one.endsWith(`pulls/${number}/update-branch`))).toBe(false);
    });

    test('of another repository are out of reach', async () => {
      const sha = 'a'.repeat(40);
      for (const [tool, params] of [
        ['get_pull', {}],
        ['get_pull_diff', {}],
        ['merge_pull', { sha }],
        ['create_review', { event: 'comment', body: 'x' }],
      ] as const)
        expect(await refused(tool, { repo: 'other/secret', number: 1, ...params })).toContain('is out of reach');
      expect(await refused('get_pull', { number: 99_999 })).toContain('has no repos/acme/shop/pulls/99999');
    });
  });

  describe('actions', () => {
    let run: RunState;
    const line = (second: number, text: string) =>
      `2026-01-01T10:00:${String(second).padStart(2, '0')}.1234567Z ${text}`;
    const log = [
      `\ufeff${line(0, '##[group]Set up job')}`,
      line(0, '##[endgroup]'),
      line(6, '##[group]Run npm test'),
      line(7, '\u001b[31mFAIL\u001b[0m src/cart.test.ts'),
      line(8, 'AssertionError: expected 1 to be 2'),
      line(9, '##[error]Process completed with exit code 1.'),
      line(12, 'Cleaning up'),
      '',
    ].join('\n');

    beforeAll(() => {
      const work = workIn(shop);
      work.workflows.push(
        { id: 1, name: 'CI', path: '.github/workflows/ci.yml', byHand: false },
        { id: 2, name: 'Deploy', path: '.github/workflows/deploy.yml', byHand: true },
      );
      run = {
        id: 501,
        workflow: 1,
        branch: 'main',
        sha: shop.branches.get('main') as string,
        event: 'push',
        status: 'completed',
        conclusion: 'failure',
        attempt: 1,
        jobs: [
          {
            id: 601,
            name: 'test',
            status: 'completed',
            conclusion: 'failure',
            steps: [
              { name: 'Set up job', conclusion: 'success', seconds: 5 },
              { name: 'Run npm test', conclusion: 'failure', seconds: 5 },
              { name: 'Complete job', conclusion: 'success', seconds: 2 },
            ],
            log: Buffer.from(log),
          },
          { id: 602, name: 'docs', status: 'completed', conclusion: 'success', steps: [], log: 'expired' },
        ],
      };
      work.runs.push(run);
    });

    test('are listed and shown with the step that failed', async () => {
      expect(await read('list_workflows')).toEqual({
        workflows: [
          { id: 1, name: 'CI', file: '.github/workflows/ci.yml', state: 'active' },
          { id: 2, name: 'Deploy', file: '.github/workflows/deploy.yml', state: 'active' },
        ],
      });
      for (const workflow of [1, 'ci.yml', '.github/workflows/ci.yml', undefined])
        expect(
          await read('list_runs', { ...(workflow && { workflow }), branch: 'main', status: 'failure' }),
        ).toMatchObject({
          runs: [{ id: 501, workflow: 'CI', conclusion: 'failure', seconds: 60 }],
          total: 1,
        });
      expect(await read('get_run', { run: 501 })).toMatchObject({
        run: { id: 501, conclusion: 'failure' },
        jobs: [
          { id: 601, name: 'test', conclusion: 'failure', steps: ['2 Run npm test: failure'] },
          { id: 602, name: 'docs', conclusion: 'success' },
        ],
        total_jobs: 2,
      });
      const { jobs } = await read<{ jobs: { steps?: string[] }[] }>('get_run', { run: 501, all_steps: true });
      expect(jobs[0]?.steps).toHaveLength(3);
      const steps = Array.from({ length: 200 }, (_, n) => ({
        name: `${n} ${'漢'.repeat(99)}`,
        conclusion: 'failure',
        seconds: 1,
      }));
      run.jobs.push({
        id: 606,
        name: '漢'.repeat(300),
        status: 'completed',
        conclusion: 'failure',
        steps,
        log: Buffer.from(log),
      });
      const found = await all<{ id: number; steps?: string[] }>('get_run', 'jobs', { run: 501 });
      expect(found.find(({ id }) => id === 606)?.steps?.at(-1)).toMatch(/^and \d+ more$/);
      expect(await read('get_job_log', { job: 606 })).toMatchObject({
        failed_steps: expect.arrayContaining([expect.stringMatching(/^and \d+ more$/)]),
        total_lines: 7,
      });
      run.jobs.pop();
    });

    test('have logs: the end, the failed step, errors, a part', async () => {
      expect(await read('get_job_log', { job: 601 })).toEqual({
        job: 'test',
        status: 'completed',
        conclusion: 'failure',
        failed_steps: ['Run npm test'],
        log: [
          '1 > Set up job',
          '2 ',
          '3 > Run npm test',
          '4 FAIL src/cart.test.ts',
          '5 AssertionError: expected 1 to be 2',
          '6 error: Process completed with exit code 1.',
          '7 Cleaning up',
        ].join('\n'),
        total_lines: 7,
      });
      const logOf = async (params: object) =>
        (await read<Logged>('get_job_log', { job: 601, ...params })).log.split('\n');
      expect(await logOf({ only: 'failed_step' })).toHaveLength(4);
      expect(await logOf({ only: 'errors' })).toEqual([
        '4 FAIL src/cart.test.ts',
        '5 AssertionError: expected 1 to be 2',
        '6 error: Process completed with exit code 1.',
      ]);
      expect(await logOf({ contains: 'ASSERTION' })).toEqual(['5 AssertionError: expected 1 to be 2']);
      expect(await logOf({ lines: 1 })).toEqual(['7 Cleaning up']);
      expect(await read('get_job_log', { job: 601, from: 3, lines: 2 })).toMatchObject({
        log: '3 > Run npm test\n4 FAIL src/cart.test.ts',
        next_from: 5,
      });
    });

    test('have logs that expired, are not there yet, or do not exist', async () => {
      expect(await refused('get_job_log', { job: 602 })).toMatch(/has expired.*github_rerun_run/);
      const job = { id: 603, name: 'slow', status: 'in_progress' as const, conclusion: null, steps: [] };
      run.jobs.push(job);
      expect(await refused('get_job_log', { job: 603 })).toContain('The job slow is in_progress');
      expect(await refused('get_job_log', { job: 603, only: 'failed_step' })).toContain(
        'No step of the job slow failed',
      );
      expect(await refused('get_job_log', { job: 9 })).toContain('has no repos/acme/shop/actions/jobs/9');
      run.jobs.pop();
    });

    test('have logs of 50 MB, which are never held whole', async () => {
      const one = Buffer.from(`${line(1, 'x'.repeat(200))}\n`);
      const big = Buffer.alloc(50 * 1024 * 1024, one);
      Buffer.from(`\n${line(2, '##[error]The end')}\n`).copy(big, big.length - 50);
      run.jobs.push({ id: 604, name: 'big', status: 'completed', conclusion: 'failure', steps: [], log: big });
      const { log: end, total_lines } = await read<Logged>('get_job_log', { job: 604, lines: 3 });
      expect(end).toContain('error: The end');
      expect(total_lines).toBeGreaterThan(200_000);
      const errors = await read<Logged>('get_job_log', { job: 604, only: 'errors' });
      expect(errors).toMatchObject({ log: expect.stringContaining('The end'), matched_lines: 1 });
      const start = await read<Logged>('get_job_log', { job: 604, from: 1, lines: 500 });
      expect(start.next_from).toBe(start.log.split('\n').length + 1);

      const noEnds = Buffer.alloc(50 * 1024 * 1024, 'x');
      run.jobs.push({ id: 605, name: 'flat', status: 'completed', conclusion: 'failure', steps: [], log: noEnds });
      expect(await read('get_job_log', { job: 605 })).toMatchObject({ total_lines: 1 });
      run.jobs.splice(-2);
      github.world.files.clear();
    }, 60_000);

    test('are run again, cancelled and started', async () => {
      expect(await refused('cancel_run', { run: 501 })).toContain('has completed already');
      expect(await call('rerun_run', { run: 501 })).toMatchObject({ run: 501 });
      expect(run).toMatchObject({
        attempt: 2,
        status: 'queued',
        jobs: [{ status: 'queued' }, { status: 'completed' }],
      });
      expect(await refused('rerun_run', { run: 501, failed_only: false })).toContain('already running');
      expect(await call('cancel_run', { run: 501 })).toMatchObject({ run: 501 });
      expect(await read('get_run', { run: 501 })).toMatchObject({ run: { conclusion: 'cancelled', attempt: 2 } });
      const inputs = { target: 'staging', count: 2, dry: true };
      await call('dispatch_workflow', { workflow: 'deploy.yml', ref: 'main', inputs });
      expect(workIn(shop).dispatched).toEqual([{ workflow: 2, ref: 'main', inputs }]);
      expect(await read('list_runs', { event: 'workflow_dispatch' })).toMatchObject({ runs: [{ workflow: 'Deploy' }] });
      expect(await refused('dispatch_workflow', { workflow: 'ci.yml', ref: 'main' })).toContain(
        'on: workflow_dispatch',
      );
      expect(await refused('dispatch_workflow', { workflow: '../x', ref: 'main' })).toContain('github_list_workflows');
      expect(await refused('dispatch_workflow', { workflow: 'deploy.yml', ref: 'nowhere' })).toContain('No ref found');
    });

    test('show as checks of a branch', async () => {
      push(github.world, shop, 'feature/checks', { 'x.md': 'x\n' });
      const sha = shop.branches.get('feature/checks') as string;
      workIn(shop).checks.set(sha, [
        { id: 601, name: 'lint', status: 'completed', conclusion: 'failure' },
        { id: 602, name: 'build', status: 'in_progress', conclusion: null },
      ]);
      workIn(shop).statuses.set(sha, [{ context: 'ci/old', state: 'success' }]);
      expect(await read('list_checks', { ref: 'feature/checks' })).toMatchObject({
        checks: [
          { name: 'lint', verdict: 'failed', job: 601, summary: 'lint found 2 problems' },
          { name: 'build', verdict: 'pending', job: 602 },
        ],
        total: 2,
        statuses: [{ name: 'ci/old', verdict: 'passed' }],
      });
      expect(await refused('list_checks', { ref: 'nowhere' })).toContain('No commit found');
    });
  });

  describe('releases', () => {
    test('are drafted, changed, published after a question, and deleted after another', async () => {
      expect(await refused('get_release')).toContain('has no published release');
      const { release } = await call<{ release: { id: number } }>('create_release', {
        tag: 'v2.0.0',
        name: 'Two',
        body: 'Much is new.',
        generate_notes: true,
      });
      expect(release).toMatchObject({ tag: 'v2.0.0', draft: true });
      expect(shop.tags.has('v2.0.0')).toBe(false);
      await call('update_release', { release: release.id, name: 'Version two' });
      expect(await client.read('github-reader', 'list_releases', { repo })).toEqual({ releases: [] });

      const { question, result } = await confirmed('publish_release', { release: release.id });
      expect(question).toMatch(/Publishes the release Version two of acme\/shop, as the latest release: tag v2.0.0/);
      expect(result).toMatchObject({ release: { tag: 'v2.0.0', published_at: expect.any(String) } });
      expect(shop.tags.has('v2.0.0')).toBe(true);
      const shown = { release: { name: 'Version two' }, body: expect.stringContaining('Much is new.') };
      for (const which of [{}, { tag: 'v2.0.0' }, { release: release.id }])
        expect(await read('get_release', which)).toMatchObject(shown);
      expect(await refused('publish_release', { release: release.id })).toContain('is published already');
      expect(await refused('create_release', { tag: 'v2.0.0' })).toContain('already taken');

      const gone = await confirmed('delete_release', { release: release.id });
      expect(gone.question).toContain('Deletes the published release Version two of acme/shop (tag v2.0.0)');
      expect(shop.tags.has('v2.0.0')).toBe(true);
      expect(await refused('delete_release', { release: release.id })).toContain('has no');
      expect(await refused('update_release', { release: 1 })).toContain('Nothing to change');
    });

    test('with many files and long notes fit into replies', async () => {
      const notes = '* Änderung "eins"\n'.repeat(600).trim();
      workIn(shop).releases.push({
        id: 42,
        tag: 'release/3',
        target: 'main',
        name: null,
        body: notes,
        draft: false,
        prerelease: false,
        publishedAt: '2026-01-01T00:00:00Z',
        assets: Array.from({ length: 60 }, (_, n) => ({ name: `shop-${'x'.repeat(60)}-${n}.zip`, size: n })),
      });
      const first = await read<{ files: object[]; files_left: number; next_offset: number }>('get_release', {
        tag: 'release/3',
      });
      expect(first.files.length + first.files_left).toBe(60);
      expect(await read('get_release', { release: 42, offset: first.next_offset })).toMatchObject({
        body: expect.stringContaining('Änderung'),
      });
    });

    test('and runs of another repository are out of reach', async () => {
      for (const [tool, params] of [
        ['list_releases', {}],
        ['publish_release', { release: 1 }],
        ['delete_release', { release: 1 }],
        ['get_job_log', { job: 1 }],
        ['dispatch_workflow', { workflow: 'ci.yml', ref: 'main' }],
      ] as const)
        expect(await refused(tool, { repo: 'other/secret', ...params })).toContain('is out of reach');
    });
  });

  describe('in trouble', () => {
    test('a write that is cut off is not repeated', async () => {
      const before = workIn(shop).issues.length;
      let posts = 0;
      github.fault = ({ method }) => {
        if (method !== 'POST') return undefined;
        posts += 1;
        return 'cut';
      };
      expect(await refused('create_issue', { title: 'Once' })).toContain('may or may not have taken effect');
      expect(posts).toBe(1);
      expect(workIn(shop).issues).toHaveLength(before);
    });

    test('a limit is waited for, or said', async () => {
      let left = 1;
      const limited = { message: 'You have exceeded a secondary rate limit.' };
      github.fault = () => (left-- > 0 ? { status: 403, body: limited, headers: { 'retry-after': '0' } } : undefined);
      expect(await read('list_labels')).toMatchObject({ labels: expect.any(Array) });
      github.fault = () => ({ status: 429, body: limited, headers: { 'retry-after': '3600' } });
      expect(await refused('list_labels')).toContain('Try again in 3600 s');
    });

    test('garbage, outages and checks that the token may not see', async () => {
      github.fault = () => ({ raw: Buffer.from('<html>'), type: 'text/html' });
      expect(await refused('list_runs')).toContain('something else than GitHub');
      github.fault = () => ({ status: 502, raw: Buffer.from('<html>'), type: 'text/html' });
      expect(await refused('list_runs')).toContain('HTTP 502');
      const message = 'Resource not accessible by personal access token';
      github.fault = ({ path }) => (/check-runs|status$/.test(path) ? { status: 403, body: { message } } : undefined);
      push(github.world, shop, 'hidden', { 'h.md': 'h\n' });
      const { number } = addPull(github.world, shop, { head: 'hidden' });
      const shown = await read<Pulled>('get_pull', { number });
      expect(shown.checks).toBeUndefined();
      expect(shown.merge).toBe('can be merged');
    });
  });
});

describe.skipIf(realGithub === undefined)('GitHub itself, at work', () => {
  let client: ModuleClient;
  const repo = realGithub?.repo ?? '';
  beforeAll(async () => {
    client = await moduleClient({ github: { ...realGithub?.section, repositories: [repo] } });
  });
  afterAll(() => client[Symbol.asyncDispose]());

  const read = <T>(tool: string, params = {}) => client.read<T>('github', tool, { repo, ...params });

  test.each([
    ['list_labels', 'labels'],
    ['list_milestones', 'milestones'],
    ['list_workflows', 'workflows'],
    ['list_releases', 'releases'],
  ])('%s', async (tool, key) => {
    expect(await read(tool)).toMatchObject({ [key]: expect.any(Array) });
  });

  test('an issue, a pull request and a run, if there are any', async () => {
    const { issues } = await read<{ issues: { number: number }[] }>('list_issues', { state: 'all' });
    for (const { number } of issues.slice(0, 1))
      expect(await read('get_issue', { number })).toMatchObject({ issue: { number } });
    const { pulls } = await read<{ pulls: { number: number; head_sha: string }[] }>('list_pulls', { state: 'all' });
    for (const { number, head_sha } of pulls.slice(0, 1)) {
      expect(await read('get_pull', { number })).toMatchObject({ pull: { number } });
      expect(await read('get_pull_diff', { number })).toMatchObject({ files: expect.any(Array) });
      expect(await read('list_pull_files', { number })).toMatchObject({ files: expect.any(Array) });
      expect(await read('list_reviews', { number })).toMatchObject({ reviews: expect.any(Array) });
      expect(await read('list_checks', { ref: head_sha })).toMatchObject({ checks: expect.any(Array) });
    }
    const { runs } = await read<{ runs: { id: number }[] }>('list_runs', { status: 'completed' });
    for (const { id } of runs.slice(0, 1)) expect(await read('get_run', { run: id })).toMatchObject({ run: { id } });
  });
});
