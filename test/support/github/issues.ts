/** Issues with their comments and labels. Pull requests are issues, too. */
import { userShape } from './shapes.ts';
import { type Asked, html, pageOf, Refusal, repositoryIn, type Topic, writableIn } from './topic.ts';
import { addIssue, type CommentState, type IssueState, nextId, workIn } from './work.ts';
import { fullName, type Repository, type World } from './world.ts';

const MILESTONES = ['Autumn', 'Winter'];

function issueShape(world: World, repository: Repository, issue: IssueState) {
  const url = `${world.base}/repos/${fullName(repository)}/issues/${issue.number}`;
  const page = html(repository, `/${issue.pull ? 'pull' : 'issues'}/${issue.number}`);
  return {
    id: 9000 + issue.number,
    node_id: `I_${issue.number}`,
    url,
    repository_url: `${world.base}/repos/${fullName(repository)}`,
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: page,
    number: issue.number,
    title: issue.title,
    body: issue.body,
    state: issue.state,
    state_reason: issue.stateReason,
    user: userShape(world, issue.login),
    labels: issue.labels.map((name) => labelShape(world, repository, name)),
    assignee: issue.assignees[0] === undefined ? null : userShape(world, issue.assignees[0]),
    assignees: issue.assignees.map((login) => userShape(world, login)),
    milestone: milestoneShape(world, repository, issue.milestone),
    locked: issue.locked,
    comments: workIn(repository).comments.get(issue.number)?.length ?? 0,
    created_at: issue.createdAt,
    updated_at: issue.updatedAt,
    closed_at: issue.closedAt,
    author_association: 'MEMBER',
    ...(issue.pull && {
      pull_request: { url, html_url: page, diff_url: `${page}.diff`, patch_url: `${page}.patch` },
    }),
  };
}

export const labelShape = (world: World, repository: Repository, name: string) => ({
  id: 100 + name.length,
  node_id: `L_${name}`,
  url: `${world.base}/repos/${fullName(repository)}/labels/${encodeURIComponent(name)}`,
  name,
  description: workIn(repository).labels.find((one) => one.name === name)?.description ?? null,
  color: 'd73a4a',
  default: false,
});

export function milestoneShape(world: World, repository: Repository, number: number | null) {
  if (number === null) return null;
  const url = `${world.base}/repos/${fullName(repository)}/milestones/${number}`;
  return {
    id: number,
    node_id: `M_${number}`,
    url,
    html_url: html(repository, `/milestone/${number}`),
    labels_url: `${url}/labels`,
    number,
    title: MILESTONES[number - 1] as string,
    state: 'open' as const,
    description: null,
    creator: null,
    open_issues: 1,
    closed_issues: 0,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    closed_at: null,
    due_on: null,
  };
}

function commentShape(world: World, repository: Repository, number: number, one: CommentState) {
  const url = `${world.base}/repos/${fullName(repository)}/issues`;
  return {
    id: one.id,
    node_id: `IC_${one.id}`,
    url: `${url}/comments/${one.id}`,
    html_url: html(repository, `/issues/${number}#issuecomment-${one.id}`),
    issue_url: `${url}/${number}`,
    user: userShape(world, one.login),
    created_at: one.at,
    updated_at: one.at,
    author_association: 'MEMBER',
    body: one.body,
  };
}

/** The issue of a path. */
export function issueIn(repository: Repository, number: string | undefined): IssueState {
  const found = workIn(repository).issues.find((one) => String(one.number) === number);
  if (!found) throw new Refusal(404, 'Not Found');
  if (found.deleted) throw new Refusal(410, 'This issue was deleted');
  return found;
}

function needMilestone(number: unknown): void {
  if (typeof number === 'number' && number > MILESTONES.length)
    throw new Refusal(422, 'Validation Failed', {
      errors: [{ value: number, resource: 'Issue', field: 'milestone', code: 'invalid' }],
    });
}

function isWanted(issue: IssueState, { query }: Asked): boolean {
  const state = query.get('state') ?? 'open';
  const [assignee, creator, milestone, labels, since] = ['assignee', 'creator', 'milestone', 'labels', 'since'].map(
    (name) => query.get(name),
  );
  const fits = (wanted: string | null | undefined, has: boolean, isIt: boolean) =>
    !wanted || (wanted === 'none' ? !has : wanted === '*' ? has : isIt);
  return (
    !issue.deleted &&
    (state === 'all' || issue.state === state) &&
    fits(assignee, issue.assignees.length > 0, issue.assignees.includes(assignee ?? '')) &&
    fits(milestone, issue.milestone !== null, String(issue.milestone) === milestone) &&
    (!creator || issue.login === creator) &&
    (!since || issue.updatedAt >= since) &&
    (labels ?? '').split(',').every((label) => label === '' || issue.labels.includes(label))
  );
}

export const issues: Topic = (world) => ({
  'GET /repos/{owner}/{repo}/issues'(asked) {
    const repository = repositoryIn(world, asked);
    const all = workIn(repository)
      .issues.filter((one) => isWanted(one, asked))
      .toReversed();
    const { items, headers } = pageOf(world, asked, all);
    return { body: items.map((one) => issueShape(world, repository, one)), headers };
  },
  'POST /repos/{owner}/{repo}/issues'(asked) {
    const repository = repositoryIn(world, asked);
    if (asked.login === undefined) throw new Refusal(401, 'Requires authentication');
    if (!workIn(repository).hasIssues) throw new Refusal(410, 'Issues are disabled for this repo');
    const given = asked.body as Partial<IssueState> & { title: string };
    needMilestone(given.milestone);
    // Anybody may report an issue; only those who may write may label it.
    const extra =
      asked.login === 'reader'
        ? {}
        : { labels: given.labels ?? [], assignees: given.assignees ?? [], milestone: given.milestone ?? null };
    const made = addIssue(world, repository, {
      title: given.title,
      body: given.body ?? null,
      login: asked.login,
      ...extra,
    });
    return { status: 201, body: issueShape(world, repository, made) };
  },
  'GET /repos/{owner}/{repo}/issues/{issue_number}'(asked) {
    const repository = repositoryIn(world, asked);
    return { body: issueShape(world, repository, issueIn(repository, asked.params.issue_number)) };
  },
  'PATCH /repos/{owner}/{repo}/issues/{issue_number}'(asked) {
    const repository = writableIn(world, asked);
    const found = issueIn(repository, asked.params.issue_number);
    const { state, state_reason, ...given } = asked.body as Partial<IssueState> & { state_reason?: string };
    needMilestone(given.milestone);
    Object.assign(found, given, { updatedAt: world.now() });
    if (state !== undefined && state !== found.state) {
      found.state = state;
      found.stateReason = state_reason ?? (state === 'closed' ? 'completed' : 'reopened');
      found.closedAt = state === 'closed' ? world.now() : null;
    }
    return { body: issueShape(world, repository, found) };
  },
  'GET /repos/{owner}/{repo}/issues/{issue_number}/comments'(asked) {
    const repository = repositoryIn(world, asked);
    const { number } = issueIn(repository, asked.params.issue_number);
    const { items, headers } = pageOf(world, asked, workIn(repository).comments.get(number) ?? []);
    return { body: items.map((one) => commentShape(world, repository, number, one)), headers };
  },
  'POST /repos/{owner}/{repo}/issues/{issue_number}/comments'(asked) {
    const repository = repositoryIn(world, asked);
    if (asked.login === undefined) throw new Refusal(401, 'Requires authentication');
    const issue = issueIn(repository, asked.params.issue_number);
    if (issue.locked) throw new Refusal(403, 'Unable to create comment because issue is locked.');
    const { body } = asked.body as { body: string };
    const made = { id: nextId(), login: asked.login, body, at: world.now() };
    const { comments } = workIn(repository);
    comments.set(issue.number, [...(comments.get(issue.number) ?? []), made]);
    return { status: 201, body: commentShape(world, repository, issue.number, made) };
  },
  'GET /repos/{owner}/{repo}/issues/comments/{comment_id}'(asked) {
    const repository = repositoryIn(world, asked);
    for (const [number, all] of workIn(repository).comments) {
      const found = all.find(({ id }) => String(id) === asked.params.comment_id);
      if (found) return { body: commentShape(world, repository, number, found) };
    }
    throw new Refusal(404, 'Not Found');
  },
  'GET /repos/{owner}/{repo}/milestones'(asked) {
    const repository = repositoryIn(world, asked);
    const all = asked.query.get('state') === 'closed' ? [] : MILESTONES.map((_, n) => n + 1);
    const { items, headers } = pageOf(world, asked, all);
    return { body: items.map((number) => milestoneShape(world, repository, number)), headers };
  },
  'GET /repos/{owner}/{repo}/labels'(asked) {
    const repository = repositoryIn(world, asked);
    const { items, headers } = pageOf(world, asked, workIn(repository).labels);
    return { body: items.map(({ name }) => labelShape(world, repository, name)), headers };
  },
});
