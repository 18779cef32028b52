/** Commits, and what is between two of them. */
import { commitShape } from './shapes.ts';
import { html, pageOf, Refusal, repositoryIn, type Asked, type Topic } from './topic.ts';
import { commitAt, filesAt, fullName, historyOf, type Repository, type Tree, type World } from './world.ts';

export const commits: Topic = (world) => ({
  'GET /repos/{owner}/{repo}/commits'(asked) {
    const repository = repositoryIn(world, asked);
    if (repository.commits.size === 0) throw new Refusal(409, 'Git Repository is empty.');
    const { query } = asked;
    const from = needCommit(repository, query.get('sha') ?? repository.defaultBranch);
    const path = query.get('path');
    const all = historyOf(repository, from).filter((sha) => {
      const commit = repository.commits.get(sha);
      const at = commit?.date ?? '';
      return (
        at >= (query.get('since') ?? '') &&
        at <= (query.get('until') ?? '9') &&
        (query.get('author') ?? commit?.login) === commit?.login &&
        (path === null || changes(world, repository, sha).some(({ filename }) => isBelow(filename, path)))
      );
    });
    const { items, headers } = pageOf(world, asked, all);
    return { body: items.map((sha) => commitShape(world, repository, sha)), headers };
  },
  'GET /repos/{owner}/{repo}/commits/{ref}'(asked) {
    const repository = repositoryIn(world, asked);
    const sha = needCommit(repository, String(asked.params.ref), 422);
    if (String(asked.headers.accept).startsWith('application/vnd.github.sha'))
      return { type: 'application/vnd.github.sha', raw: Buffer.from(sha) };
    const { items: files, headers } = pageOf(world, asked, changes(world, repository, sha));
    return { body: { ...commitShape(world, repository, sha), ...totals(files), files }, headers };
  },
  'GET /repos/{owner}/{repo}/compare/{basehead}'(asked) {
    const repository = repositoryIn(world, asked);
    const [base = '', head = ''] = String(asked.params.basehead).split('...');
    const [from, to] = [needCommit(repository, base), needCommit(repository, head)];
    const before = new Set(historyOf(repository, from));
    const after = historyOf(repository, to);
    const ahead = after.filter((sha) => !before.has(sha)).toReversed();
    const behind = [...before].filter((sha) => !after.includes(sha));
    const shared = after.find((sha) => before.has(sha)) ?? from;
    const { items, headers } = pageOf(world, asked, ahead);
    const url = `${world.base}/repos/${fullName(repository)}/compare/${base}...${head}`;
    const status =
      ahead.length > 0 ? (behind.length > 0 ? 'diverged' : 'ahead') : behind.length > 0 ? 'behind' : 'identical';
    return {
      headers,
      body: {
        url,
        html_url: html(repository, `/compare/${base}...${head}`),
        permalink_url: html(repository, `/compare/${from}...${to}`),
        diff_url: html(repository, `/compare/${base}...${head}.diff`),
        patch_url: html(repository, `/compare/${base}...${head}.patch`),
        base_commit: commitShape(world, repository, from),
        merge_base_commit: commitShape(world, repository, shared),
        status,
        ahead_by: ahead.length,
        behind_by: behind.length,
        total_commits: ahead.length,
        commits: items.map((sha) => commitShape(world, repository, sha)),
        ...(isFirst(asked) && {
          files: between(world, repository, filesAt(repository, shared), filesAt(repository, to)),
        }),
      },
    };
  },
});

const isFirst = ({ query }: Asked) => Number(query.get('page') ?? 1) === 1;

export function needCommit(repository: Repository, ref: string, status = 404): string {
  const sha = commitAt(repository, ref);
  if (sha !== undefined) return sha;
  throw new Refusal(status, status === 422 ? `No commit found for SHA: ${ref}` : 'Not Found');
}

const isBelow = (path: string, folder: string) => path === folder || path.startsWith(`${folder}/`);

/** What a commit changes. */
function changes(world: World, repository: Repository, sha: string) {
  const [parent] = repository.commits.get(sha)?.parents ?? [];
  const before: Tree = parent === undefined ? new Map() : filesAt(repository, parent);
  return between(world, repository, before, filesAt(repository, sha));
}

function between(world: World, repository: Repository, before: Tree, after: Tree) {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((filename) => {
    const [old, now] = [before.get(filename), after.get(filename)];
    if (old?.sha === now?.sha) return [];
    const lines = (sha: string | undefined) => linesOf(repository.blobs.get(sha ?? ''));
    const [removed, added] = [lines(old?.sha), lines(now?.sha)];
    const isText = [old, now].every((one) => !repository.blobs.get(one?.sha ?? '')?.includes(0));
    const patch = [
      `@@ -1,${removed.length} +1,${added.length} @@`,
      ...removed.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
    ].join('\n');
    return {
      sha: now?.sha ?? old?.sha ?? null,
      filename,
      status: old ? (now ? 'modified' : 'removed') : 'added',
      additions: isText ? added.length : 0,
      deletions: isText ? removed.length : 0,
      changes: isText ? added.length + removed.length : 0,
      blob_url: html(repository, `/blob/main/${filename}`),
      raw_url: html(repository, `/raw/main/${filename}`),
      contents_url: `${world.base}/repos/${fullName(repository)}/contents/${filename}`,
      ...(isText && { patch }),
    };
  });
}

const linesOf = (content: Buffer | undefined): string[] =>
  content === undefined || content.length === 0 ? [] : content.toString('utf8').replace(/\n$/, '').split('\n');

function totals(files: readonly { additions: number; deletions: number }[]) {
  const additions = files.reduce((sum, one) => sum + one.additions, 0);
  const deletions = files.reduce((sum, one) => sum + one.deletions, 0);
  return { stats: { additions, deletions, total: additions + deletions } };
}
