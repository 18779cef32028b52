/** Pull requests: diffs, reviews and merging. */
import { issueIn, labelShape, milestoneShape } from './issues.ts';
import { repositoryShape, userShape } from './shapes.ts';
import { type Asked, html, pageOf, Refusal, repositoryIn, type Topic, writableIn } from './topic.ts';
import {
  addPull,
  type IssueState,
  type LineComment,
  nextId,
  type PullState,
  type ReviewState,
  workIn,
} from './work.ts';
import { addCommit, addTree, commitAt, filesAt, fullName, type Repository, shaOf, type World } from './world.ts';

type Found = IssueState & { pull: PullState };

function pullIn(world: World, asked: Asked): { repository: Repository; found: Found } {
  const repository = repositoryIn(world, asked);
  const found = issueIn(repository, asked.params.pull_number);
  if (!found.pull) throw new Refusal(404, 'Not Found');
  return { repository, found: found as Found };
}

const headOf = (repository: Repository, { pull }: Found): string =>
  pull.lastHead ?? repository.branches.get(pull.head) ?? '';

function branchShape(world: World, repository: Repository, ref: string, sha: string) {
  return {
    label: `${repository.owner}:${ref}`,
    ref,
    sha,
    user: userShape(world, repository.owner),
    repo: repositoryShape(world, repository),
  };
}

function pullShape(world: World, repository: Repository, found: Found) {
  const { pull, number } = found;
  const url = `${world.base}/repos/${fullName(repository)}/pulls/${number}`;
  const issue = `${world.base}/repos/${fullName(repository)}/issues/${number}`;
  const page = html(repository, `/pull/${number}`);
  const sha = headOf(repository, found);
  const statuses = `${world.base}/repos/${fullName(repository)}/statuses/${sha}`;
  return {
    id: 7000 + number,
    node_id: `PR_${number}`,
    url,
    html_url: page,
    diff_url: `${page}.diff`,
    patch_url: `${page}.patch`,
    issue_url: issue,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${url}/comments{/number}`,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    number,
    state: found.state,
    locked: found.locked,
    title: found.title,
    user: userShape(world, found.login),
    body: found.body,
    labels: found.labels.map((name) => ({ ...labelShape(world, repository, name), description: '' })),
    milestone: milestoneShape(world, repository, found.milestone),
    created_at: found.createdAt,
    updated_at: found.updatedAt,
    closed_at: found.closedAt,
    merged_at: pull.mergedAt,
    merge_commit_sha: pull.mergedSha,
    assignee: null,
    assignees: found.assignees.map((login) => userShape(world, login)),
    requested_reviewers: pull.reviewers.map((login) => userShape(world, login)),
    requested_teams: [],
    head: branchShape(world, repository, pull.head, sha),
    base: branchShape(world, repository, pull.base, commitAt(repository, pull.base) ?? ''),
    _links: Object.fromEntries(
      ['comments', 'commits', 'statuses', 'html', 'issue', 'review_comments', 'review_comment', 'self'].map((name) => [
        name,
        { href: url },
      ]),
    ),
    author_association: 'MEMBER',
    auto_merge: null,
    draft: pull.draft,
  };
}

function mergeabilityOf({ state, pull }: Found): { mergeable: boolean | null; mergeable_state: string } {
  if (pull.unknownLooks > 0) {
    pull.unknownLooks -= 1;
    return { mergeable: null, mergeable_state: 'unknown' };
  }
  if (state === 'closed') return { mergeable: null, mergeable_state: 'unknown' };
  if (pull.hasConflicts) return { mergeable: false, mergeable_state: 'dirty' };
  return { mergeable: true, mergeable_state: pull.draft ? 'draft' : pull.mergeableState };
}

function wholePull(world: World, repository: Repository, found: Found) {
  const files = changesOf(repository, found);
  const sum = (key: 'additions' | 'deletions') => files.reduce((all, one) => all + one[key], 0);
  return {
    ...pullShape(world, repository, found),
    merged: found.pull.mergedAt !== null,
    ...mergeabilityOf(found),
    merged_by: found.pull.mergedBy === null ? null : userShape(world, found.pull.mergedBy),
    maintainer_can_modify: false,
    comments: workIn(repository).comments.get(found.number)?.length ?? 0,
    review_comments: found.pull.reviews.flatMap(({ comments }) => comments).length,
    commits: 1,
    additions: sum('additions'),
    deletions: sum('deletions'),
    changed_files: files.length,
  };
}

interface Change {
  readonly path: string;
  readonly status: 'added' | 'removed' | 'modified';
  readonly additions: number;
  readonly deletions: number;
  readonly patch: string | undefined;
}

/** Each changed file as one hunk: all old lines, then all new ones. */
function changesOf(repository: Repository, found: Found): Change[] {
  const head = headOf(repository, found);
  const now = filesAt(repository, head);
  const before = filesAt(repository, repository.commits.get(head)?.parents[0] ?? '');
  const paths = [...new Set([...before.keys(), ...now.keys()])].toSorted();
  return paths.flatMap((path) => {
    const [old, fresh] = [before.get(path)?.sha, now.get(path)?.sha];
    if (old === fresh) return [];
    const lines = (sha: string | undefined) =>
      sha === undefined ? [] : (repository.blobs.get(sha)?.toString() ?? '').replace(/\n$/, '').split('\n');
    const [gone, come] = [lines(old), lines(fresh)];
    const isBinary = [...gone, ...come].some((line) => line.includes('\0'));
    const hunk = [
      `@@ -${old === undefined ? 0 : 1},${gone.length} +${fresh === undefined ? 0 : 1},${come.length} @@`,
      ...gone.map((line) => `-${line}`),
      ...come.map((line) => `+${line}`),
    ];
    return [
      {
        path,
        status: old === undefined ? 'added' : fresh === undefined ? 'removed' : 'modified',
        additions: come.length,
        deletions: gone.length,
        patch: isBinary ? undefined : hunk.join('\n'),
      } as const,
    ];
  });
}

const diffOf = ({ path, status, patch }: Change): string =>
  [
    `diff --git a/${path} b/${path}`,
    ...(status === 'added' ? ['new file mode 100644'] : status === 'removed' ? ['deleted file mode 100644'] : []),
    'index 1111111..2222222 100644',
    ...(patch === undefined
      ? [`Binary files a/${path} and b/${path} differ`]
      : [
          `--- ${status === 'added' ? '/dev/null' : `a/${path}`}`,
          `+++ ${status === 'removed' ? '/dev/null' : `b/${path}`}`,
          patch,
        ]),
    '',
  ].join('\n');

function reviewShape(world: World, repository: Repository, number: number, one: ReviewState) {
  const url = `${world.base}/repos/${fullName(repository)}/pulls/${number}`;
  const page = html(repository, `/pull/${number}#pullrequestreview-${one.id}`);
  return {
    id: one.id,
    node_id: `PRR_${one.id}`,
    user: userShape(world, one.login),
    body: one.body,
    state: one.state,
    html_url: page,
    pull_request_url: url,
    _links: { html: { href: page }, pull_request: { href: url } },
    submitted_at: one.at,
    commit_id: one.sha,
    author_association: 'MEMBER',
  };
}

function lineCommentShape(
  world: World,
  repository: Repository,
  number: number,
  { review, one }: { review: ReviewState; one: LineComment },
) {
  const url = `${world.base}/repos/${fullName(repository)}/pulls`;
  const page = html(repository, `/pull/${number}#discussion_r${one.id}`);
  return {
    id: one.id,
    node_id: `PRRC_${one.id}`,
    url: `${url}/comments/${one.id}`,
    pull_request_review_id: review.id,
    diff_hunk: '@@ -1 +1 @@',
    path: one.path,
    commit_id: review.sha,
    original_commit_id: review.sha,
    user: userShape(world, one.login),
    body: one.body,
    created_at: one.at,
    updated_at: one.at,
    html_url: page,
    pull_request_url: `${url}/${number}`,
    author_association: 'MEMBER',
    _links: { self: { href: url }, html: { href: page }, pull_request: { href: url } },
    line: one.line,
    original_line: one.line,
    start_line: one.startLine,
    side: one.side,
  };
}

const invalid = (field: string, code = 'invalid', message?: string) =>
  new Refusal(422, 'Validation Failed', {
    errors: [{ resource: 'PullRequest', field, code, ...(message !== undefined && { message }) }],
  });

interface ReviewBody {
  readonly event?: 'APPROVE' | 'REQUEST_CHANGES' | 'COMMENT';
  readonly body?: string;
  readonly commit_id?: string;
  readonly comments?: readonly {
    path: string;
    line: number;
    side?: string;
    start_line?: number;
    start_side?: string;
    body: string;
  }[];
}

const STATES = { APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED', COMMENT: 'COMMENTED' } as const;

export const pulls: Topic = (world) => ({
  'GET /repos/{owner}/{repo}/pulls'(asked) {
    const repository = repositoryIn(world, asked);
    const [state, head, base] = ['state', 'head', 'base'].map((name) => asked.query.get(name));
    const all = workIn(repository).issues.filter(
      (one): one is Found =>
        one.pull !== undefined &&
        ((state ?? 'open') === 'all' || one.state === (state ?? 'open')) &&
        (!base || one.pull.base === base) &&
        // A branch without its owner is ignored.
        (!head?.includes(':') || `${repository.owner}:${one.pull.head}` === head),
    );
    const ordered = asked.query.get('direction') === 'asc' ? all : all.toReversed();
    const { items, headers } = pageOf(world, asked, ordered);
    return { body: items.map((one) => pullShape(world, repository, one)), headers };
  },
  'POST /repos/{owner}/{repo}/pulls'(asked) {
    const repository = writableIn(world, asked);
    const given = asked.body as { title: string; head: string; base: string; body?: string; draft?: boolean };
    const head = given.head.replace(`${repository.owner}:`, '');
    const [from, into] = [repository.branches.get(head), repository.branches.get(given.base)];
    if (from === undefined) throw invalid('head');
    if (into === undefined) throw invalid('base');
    if (from === into) throw invalid('', 'custom', `No commits between ${given.base} and ${head}`);
    if (workIn(repository).issues.some((one) => one.pull?.head === head && one.state === 'open'))
      throw invalid('', 'custom', `A pull request already exists for ${repository.owner}:${head}.`);
    const made = addPull(world, repository, { ...given, head, login: asked.login, unknownLooks: 1 });
    return { status: 201, body: wholePull(world, repository, made) };
  },
  'GET /repos/{owner}/{repo}/pulls/{pull_number}'(asked) {
    const { repository, found } = pullIn(world, asked);
    if (!/\bdiff\b/.test(String(asked.headers.accept))) return { body: wholePull(world, repository, found) };
    if (found.pull.isTooLarge)
      throw new Refusal(406, 'Sorry, the diff exceeded the maximum number of files (300).', {
        errors: [{ resource: 'PullRequest', field: 'diff', code: 'too_large' }],
      });
    const raw = Buffer.from(changesOf(repository, found).map(diffOf).join(''));
    return { raw, type: 'application/vnd.github.diff' };
  },
  'PATCH /repos/{owner}/{repo}/pulls/{pull_number}'(asked) {
    writableIn(world, asked);
    const { repository, found } = pullIn(world, asked);
    const { base, state, ...given } = asked.body as { base?: string; state?: 'open' | 'closed'; title?: string };
    if (base !== undefined && !repository.branches.has(base)) throw invalid('base');
    if (state === 'open' && found.pull.mergedAt !== null)
      throw invalid('state', 'invalid', 'state cannot be changed. The pull request is merged.');
    if (base !== undefined) found.pull.base = base;
    if (state !== undefined) found.state = state;
    found.closedAt = found.state === 'closed' ? world.now() : null;
    Object.assign(found, given, { updatedAt: world.now() });
    return { body: wholePull(world, repository, found) };
  },
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/files'(asked) {
    const { repository, found } = pullIn(world, asked);
    const { items, headers } = pageOf(world, asked, changesOf(repository, found));
    const url = html(repository, '/blob');
    return {
      body: items.map(({ path, status, additions, deletions, patch }) => ({
        sha: shaOf('blob', path),
        filename: path,
        status,
        additions,
        deletions,
        changes: additions + deletions,
        blob_url: url,
        raw_url: url,
        contents_url: url,
        ...(patch !== undefined && { patch }),
      })),
      headers,
    };
  },
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews'(asked) {
    const { repository, found } = pullIn(world, asked);
    const { items, headers } = pageOf(world, asked, found.pull.reviews);
    return { body: items.map((one) => reviewShape(world, repository, found.number, one)), headers };
  },
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/reviews'(asked) {
    const { repository, found } = pullIn(world, asked);
    if (asked.login === undefined) throw new Refusal(401, 'Requires authentication');
    const { event, body = '', commit_id, comments = [] } = asked.body as ReviewBody;
    const refuse = (message: string) => new Refusal(422, 'Unprocessable Entity', { errors: [message] });
    if (event !== undefined && event !== 'COMMENT' && asked.login === found.login)
      throw refuse(
        event === 'APPROVE'
          ? 'Can not approve your own pull request'
          : 'Can not request changes on your own pull request',
      );
    if (event !== 'APPROVE' && body === '') throw refuse('Body can not be blank');
    for (const { path, line, start_line, start_side } of comments) {
      const change = changesOf(repository, found).find((one) => one.path === path);
      if (!change || line > change.additions) throw refuse('Line could not be resolved');
      if ((start_line === undefined) !== (start_side === undefined)) throw refuse('start_side is missing');
    }
    const at = world.now();
    const made: ReviewState = {
      id: nextId(),
      login: asked.login,
      state: event === undefined ? 'PENDING' : STATES[event],
      body,
      sha: commit_id ?? headOf(repository, found),
      at,
      comments: comments.map(({ path, line, side = 'RIGHT', start_line = null, body: text }) => ({
        id: nextId(),
        login: asked.login as string,
        body: text,
        at,
        path,
        line,
        side,
        startLine: start_line,
      })),
    };
    found.pull.reviews.push(made);
    return { body: reviewShape(world, repository, found.number, made) };
  },
  'GET /repos/{owner}/{repo}/pulls/{pull_number}/comments'(asked) {
    const { repository, found } = pullIn(world, asked);
    const all = found.pull.reviews.flatMap((review) => review.comments.map((one) => ({ review, one })));
    const { items, headers } = pageOf(world, asked, all);
    return { body: items.map((one) => lineCommentShape(world, repository, found.number, one)), headers };
  },
  'GET /repos/{owner}/{repo}/pulls/comments/{comment_id}'(asked) {
    const repository = repositoryIn(world, asked);
    for (const { number, pull } of workIn(repository).issues)
      for (const review of pull?.reviews ?? []) {
        const one = review.comments.find(({ id }) => String(id) === asked.params.comment_id);
        if (one) return { body: lineCommentShape(world, repository, number, { review, one }) };
      }
    throw new Refusal(404, 'Not Found');
  },
  'POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers'(asked) {
    writableIn(world, asked);
    const { repository, found } = pullIn(world, asked);
    const { reviewers = [] } = asked.body as { reviewers?: string[] };
    if (reviewers.includes(found.login)) throw new Refusal(422, 'Review cannot be requested from pull request author.');
    if (reviewers.includes('stranger'))
      throw new Refusal(
        422,
        'Reviews may only be requested from collaborators. One or more of the users or teams you specified is not a collaborator of the acme/shop repository.',
      );
    found.pull.reviewers = [...new Set([...found.pull.reviewers, ...reviewers])];
    return { status: 201, body: pullShape(world, repository, found) };
  },
  'PUT /repos/{owner}/{repo}/pulls/{pull_number}/merge'(asked) {
    writableIn(world, asked);
    const { repository, found } = pullIn(world, asked);
    const { pull } = found;
    const { sha, merge_method = 'merge' } = asked.body as { sha?: string; merge_method?: string };
    const head = headOf(repository, found);
    if (merge_method === 'rebase') throw new Refusal(405, 'Rebase merges are not allowed on this repository.');
    if (found.state === 'closed' || pull.hasConflicts || pull.draft || pull.mergeableState === 'blocked')
      throw new Refusal(405, 'Pull Request is not mergeable');
    if (sha !== undefined && sha !== head)
      throw new Refusal(409, 'Head branch was modified. Review and try the merge again.');
    const into = commitAt(repository, pull.base) ?? '';
    const made = addCommit(repository, {
      tree: addTree(repository, filesAt(repository, head)),
      parents: merge_method === 'merge' ? [into, head] : [into],
      message: `Merge pull request #${found.number}`,
      login: asked.login as string,
      date: world.now(),
    });
    repository.branches.set(pull.base, made);
    const at = world.now();
    Object.assign(pull, { mergedAt: at, mergedBy: asked.login, mergedSha: made, lastHead: head });
    Object.assign(found, { state: 'closed', closedAt: at });
    return { body: { sha: made, merged: true, message: 'Pull Request successfully merged' } };
  },
  'PUT /repos/{owner}/{repo}/pulls/{pull_number}/update-branch'(asked) {
    writableIn(world, asked);
    const { repository, found } = pullIn(world, asked);
    const { expected_head_sha: expected } = (asked.body ?? {}) as { expected_head_sha?: string };
    const head = headOf(repository, found);
    if (expected !== undefined && expected !== head)
      throw new Refusal(422, 'expected head sha didn’t match current head ref.');
    const commit = repository.commits.get(head);
    if (!commit) throw new Refusal(404, 'Not Found');
    const made = addCommit(repository, {
      ...commit,
      parents: [...commit.parents, head],
      message: `Merge branch '${found.pull.base}' into ${found.pull.head}`,
      date: world.now(),
    });
    repository.branches.set(found.pull.head, made);
    const url = `${world.base}/repos/${fullName(repository)}/pulls/${found.number}`;
    return { status: 202, body: { message: 'Updating pull request branch.', url } };
  },
});
