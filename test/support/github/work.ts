/** What people and machines do in a repository: issues, pull requests, checks, runs and releases. */
import { addBlob, addCommit, addTree, commitAt, filesAt, type Repository, type World } from './world.ts';

export interface IssueState {
  readonly number: number;
  title: string;
  body: string | null;
  state: 'open' | 'closed';
  stateReason: string | null;
  readonly login: string;
  labels: string[];
  assignees: string[];
  milestone: number | null;
  locked: boolean;
  /** GitHub answers 410 then. */
  deleted: boolean;
  readonly createdAt: string;
  updatedAt: string;
  closedAt: string | null;
  pull?: PullState;
}

export interface PullState {
  readonly head: string;
  base: string;
  draft: boolean;
  mergedSha: string | null;
  mergedAt: string | null;
  mergedBy: string | null;
  /** The head of a pull request that is closed. */
  lastHead: string | null;
  hasConflicts: boolean;
  /** What GitHub says as long as nothing is wrong: clean, blocked, behind. */
  mergeableState: string;
  /** So often GitHub does not know yet whether it can be merged. */
  unknownLooks: number;
  /** GitHub answers 406 to whoever asks for the diff. */
  isTooLarge: boolean;
  reviewers: string[];
  readonly reviews: ReviewState[];
}

export interface ReviewState {
  readonly id: number;
  readonly login: string;
  readonly state: string;
  readonly body: string;
  readonly sha: string;
  readonly at: string;
  readonly comments: readonly LineComment[];
}

export interface LineComment extends CommentState {
  readonly path: string;
  readonly line: number;
  readonly startLine: number | null;
  readonly side: string;
}

export interface CommentState {
  readonly id: number;
  readonly login: string;
  readonly body: string;
  readonly at: string;
}

export interface CheckState {
  readonly id: number;
  readonly name: string;
  readonly status: 'queued' | 'in_progress' | 'completed';
  readonly conclusion: string | null;
}

export interface RunState {
  readonly id: number;
  readonly workflow: number;
  readonly branch: string;
  readonly sha: string;
  readonly event: string;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: string | null;
  attempt: number;
  readonly jobs: JobState[];
}

export interface JobState {
  readonly id: number;
  readonly name: string;
  status: 'queued' | 'in_progress' | 'completed';
  conclusion: string | null;
  readonly steps: readonly { readonly name: string; readonly conclusion: string; readonly seconds: number }[];
  log?: Buffer | 'expired';
}

export interface ReleaseState {
  readonly id: number;
  tag: string;
  target: string;
  name: string | null;
  body: string | null;
  draft: boolean;
  prerelease: boolean;
  publishedAt: string | null;
  readonly assets: readonly { readonly name: string; readonly size: number }[];
}

export interface Work {
  hasIssues: boolean;
  readonly issues: IssueState[];
  readonly comments: Map<number, CommentState[]>;
  readonly labels: { readonly name: string; readonly description: string | null }[];
  readonly checks: Map<string, CheckState[]>;
  readonly statuses: Map<string, { readonly context: string; readonly state: string }[]>;
  readonly workflows: { readonly id: number; readonly name: string; readonly path: string; readonly byHand: boolean }[];
  readonly runs: RunState[];
  readonly dispatched: { readonly workflow: number; readonly ref: string; readonly inputs: object }[];
  readonly releases: ReleaseState[];
}

const works = new WeakMap<Repository, Work>();

export function workIn(repository: Repository): Work {
  const found = works.get(repository);
  if (found) return found;
  const made: Work = {
    hasIssues: true,
    issues: [],
    comments: new Map(),
    labels: [],
    checks: new Map(),
    statuses: new Map(),
    workflows: [],
    runs: [],
    dispatched: [],
    releases: [],
  };
  works.set(repository, made);
  return made;
}

let ids = 5000;
export const nextId = (): number => (ids += 1);

export function addIssue(world: World, repository: Repository, given: Partial<IssueState> = {}): IssueState {
  const { issues } = workIn(repository);
  const at = world.now();
  const made: IssueState = {
    number: issues.length + 1,
    title: 'It hangs',
    body: null,
    state: 'open',
    stateReason: null,
    login: 'hubot',
    labels: [],
    assignees: [],
    milestone: null,
    locked: false,
    deleted: false,
    createdAt: at,
    updatedAt: at,
    closedAt: null,
    ...given,
  };
  issues.push(made);
  return made;
}

export interface PullSeed extends Partial<Omit<PullState, 'head'>> {
  readonly title?: string;
  readonly body?: string;
  readonly login?: string;
  /** A branch that exists. */
  readonly head: string;
}

export function addPull(world: World, repository: Repository, seed: PullSeed): IssueState & { pull: PullState } {
  const { title = 'Change something', body = null, login = 'hubot', ...given } = seed;
  const pull: PullState = {
    base: repository.defaultBranch,
    draft: false,
    mergedSha: null,
    mergedAt: null,
    mergedBy: null,
    lastHead: null,
    hasConflicts: false,
    mergeableState: 'clean',
    unknownLooks: 0,
    isTooLarge: false,
    reviewers: [],
    reviews: [],
    ...given,
  };
  return Object.assign(addIssue(world, repository, { title, body, login }), { pull });
}

/** A commit on a branch, which begins at the default one: what it writes, by path; null deletes. Returns its sha. */
export function push(
  world: World,
  repository: Repository,
  branch: string,
  files: Readonly<Record<string, string | null>>,
): string {
  const parent = repository.branches.get(branch) ?? commitAt(repository, repository.defaultBranch) ?? '';
  const tree = new Map(filesAt(repository, parent));
  for (const [path, content] of Object.entries(files))
    if (content === null) tree.delete(path);
    else tree.set(path, { mode: '100644', sha: addBlob(repository, Buffer.from(content)) });
  const sha = addCommit(repository, {
    tree: addTree(repository, tree),
    parents: [parent],
    message: `Change ${branch}`,
    login: 'hubot',
    date: world.now(),
  });
  repository.branches.set(branch, sha);
  return sha;
}
