/** Workflows, runs, jobs and their logs. */
import { repositoryShape, userShape } from './shapes.ts';
import { type Asked, html, pageOf, Refusal, repositoryIn, type Topic, writableIn } from './topic.ts';
import { type JobState, nextId, type RunState, workIn } from './work.ts';
import { commitAt, fullName, type Repository, type World } from './world.ts';

const BEGAN = Date.UTC(2026, 0, 1, 10);
const at = (seconds: number): string => new Date(BEGAN + seconds * 1000).toISOString().replace('.000', '');

function workflowIn(repository: Repository, given: string | undefined) {
  const found = workIn(repository).workflows.find(
    ({ id, path }) => String(id) === given || path === `.github/workflows/${given}`,
  );
  if (!found) throw new Refusal(404, 'Not Found');
  return found;
}

function runIn(world: World, asked: Asked): { repository: Repository; run: RunState } {
  const repository = repositoryIn(world, asked);
  const run = workIn(repository).runs.find(({ id }) => String(id) === asked.params.run_id);
  if (!run) throw new Refusal(404, 'Not Found');
  return { repository, run };
}

function jobIn(world: World, asked: Asked): { repository: Repository; run: RunState; job: JobState } {
  const repository = repositoryIn(world, asked);
  for (const run of workIn(repository).runs) {
    const job = run.jobs.find(({ id }) => String(id) === asked.params.job_id);
    if (job) return { repository, run, job };
  }
  throw new Refusal(404, 'Not Found');
}

function runShape(world: World, repository: Repository, run: RunState) {
  const url = `${world.base}/repos/${fullName(repository)}/actions/runs/${run.id}`;
  const workflow = workflowIn(repository, String(run.workflow));
  const links = 'jobs logs check_suite cancel rerun artifacts workflow'.split(' ');
  return {
    id: run.id,
    node_id: `WFR_${run.id}`,
    name: workflow.name,
    display_title: `Run ${run.id}`,
    path: workflow.path,
    head_branch: run.branch,
    head_sha: run.sha,
    run_number: run.id,
    run_attempt: run.attempt,
    event: run.event,
    status: run.status,
    conclusion: run.conclusion,
    workflow_id: run.workflow,
    url,
    html_url: html(repository, `/actions/runs/${run.id}`),
    pull_requests: [],
    created_at: at(0),
    updated_at: at(60),
    run_started_at: at(0),
    actor: userShape(world, 'hubot'),
    ...Object.fromEntries(links.map((name) => [`${name}_url`, `${url}/${name}`])),
    head_commit: null,
    repository: repositoryShape(world, repository),
    head_repository: repositoryShape(world, repository),
  };
}

function jobShape(world: World, repository: Repository, run: RunState, job: JobState) {
  const url = `${world.base}/repos/${fullName(repository)}/actions`;
  let seconds = 0;
  return {
    id: job.id,
    node_id: `J_${job.id}`,
    run_id: run.id,
    run_url: `${url}/runs/${run.id}`,
    head_sha: run.sha,
    head_branch: run.branch,
    workflow_name: 'CI',
    name: job.name,
    url: `${url}/jobs/${job.id}`,
    html_url: html(repository, `/actions/runs/${run.id}/job/${job.id}`),
    check_run_url: `${url}/check-runs/${job.id}`,
    status: job.status,
    conclusion: job.conclusion,
    created_at: at(0),
    started_at: at(0),
    completed_at: job.status === 'completed' ? at(60) : null,
    labels: ['ubuntu-latest'],
    runner_id: 1,
    runner_name: 'runner',
    runner_group_id: 1,
    runner_group_name: 'default',
    steps: job.steps.map((step, n) => {
      const began = seconds;
      seconds += step.seconds;
      return {
        name: step.name,
        number: n + 1,
        status: 'completed' as const,
        conclusion: step.conclusion,
        started_at: at(began),
        completed_at: at(seconds),
      };
    }),
  };
}

function runsFor(world: World, asked: Asked, repository: Repository, all: readonly RunState[]) {
  const [branch, event, status, sha] = ['branch', 'event', 'status', 'head_sha'].map((name) => asked.query.get(name));
  const wanted = all
    .filter(
      (run) =>
        (!branch || run.branch === branch) &&
        (!event || run.event === event) &&
        (!sha || run.sha === sha) &&
        (!status || run.status === status || run.conclusion === status),
    )
    .toReversed();
  const { items, headers } = pageOf(world, asked, wanted);
  return {
    headers,
    body: { total_count: wanted.length, workflow_runs: items.map((run) => runShape(world, repository, run)) },
  };
}

function again(run: RunState, jobs: readonly JobState[]): void {
  run.attempt += 1;
  for (const one of [run, ...jobs]) Object.assign(one, { status: 'queued', conclusion: null });
}

export const actions: Topic = (world) => ({
  'GET /repos/{owner}/{repo}/actions/workflows'(asked) {
    const repository = repositoryIn(world, asked);
    const { workflows } = workIn(repository);
    const { items, headers } = pageOf(world, asked, workflows);
    return {
      headers,
      body: {
        total_count: workflows.length,
        workflows: items.map(({ id, name, path }) => ({
          id,
          node_id: `W_${id}`,
          name,
          path,
          state: 'active',
          url: `${world.base}/repos/${fullName(repository)}/actions/workflows/${id}`,
          html_url: html(repository, `/blob/main/${path}`),
          badge_url: html(repository, `/workflows/${name}/badge.svg`),
          created_at: at(0),
          updated_at: at(0),
        })),
      },
    };
  },
  'GET /repos/{owner}/{repo}/actions/runs'(asked) {
    const repository = repositoryIn(world, asked);
    return runsFor(world, asked, repository, workIn(repository).runs);
  },
  'GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs'(asked) {
    const repository = repositoryIn(world, asked);
    const { id } = workflowIn(repository, asked.params.workflow_id);
    return runsFor(
      world,
      asked,
      repository,
      workIn(repository).runs.filter(({ workflow }) => workflow === id),
    );
  },
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}'(asked) {
    const { repository, run } = runIn(world, asked);
    return { body: runShape(world, repository, run) };
  },
  'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs'(asked) {
    const { repository, run } = runIn(world, asked);
    const { items, headers } = pageOf(world, asked, run.jobs);
    return {
      headers,
      body: { total_count: run.jobs.length, jobs: items.map((job) => jobShape(world, repository, run, job)) },
    };
  },
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}'(asked) {
    const { repository, run, job } = jobIn(world, asked);
    return { body: jobShape(world, repository, run, job) };
  },
  'GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs'(asked) {
    const { job } = jobIn(world, asked);
    if (job.log === 'expired') throw new Refusal(410, 'Server Error');
    if (job.log === undefined) throw new Refusal(404, 'Not Found');
    return { status: 302, headers: { location: world.signed(job.log) } };
  },
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun'(asked) {
    writableIn(world, asked);
    const { run } = runIn(world, asked);
    if (run.status !== 'completed') throw new Refusal(403, 'This workflow is already running');
    again(run, run.jobs);
    return { status: 201, body: {} };
  },
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/rerun-failed-jobs'(asked) {
    writableIn(world, asked);
    const { run } = runIn(world, asked);
    const failed = run.jobs.filter(({ conclusion }) => conclusion === 'failure');
    if (failed.length === 0) throw new Refusal(403, 'This workflow run cannot be retried');
    again(run, failed);
    return { status: 201, body: {} };
  },
  'POST /repos/{owner}/{repo}/actions/runs/{run_id}/cancel'(asked) {
    writableIn(world, asked);
    const { run } = runIn(world, asked);
    if (run.status === 'completed') throw new Refusal(409, 'Cannot cancel a workflow run that is completed.');
    for (const one of [run, ...run.jobs]) Object.assign(one, { status: 'completed', conclusion: 'cancelled' });
    return { status: 202, body: {} };
  },
  'POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches'(asked) {
    const repository = writableIn(world, asked);
    const { id, byHand } = workflowIn(repository, asked.params.workflow_id);
    const { ref, inputs = {} } = asked.body as { ref: string; inputs?: object };
    const sha = commitAt(repository, ref);
    if (sha === undefined) throw new Refusal(422, `No ref found for: ${ref}`);
    if (!byHand) throw new Refusal(422, "Workflow does not have 'workflow_dispatch' trigger");
    const { dispatched, runs } = workIn(repository);
    dispatched.push({ workflow: id, ref, inputs });
    runs.push({
      id: nextId(),
      workflow: id,
      branch: ref,
      sha,
      event: 'workflow_dispatch',
      status: 'queued',
      conclusion: null,
      attempt: 1,
      jobs: [],
    });
    return { status: 204 };
  },
});
