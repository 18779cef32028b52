import { z } from 'zod';
import { workflowInput } from '../action-input.ts';
import { run } from '../api/actions.ts';
import { shaInput } from '../issue-input.ts';
import { pageOf } from '../page.ts';
import { runOutput, shownRun } from '../shown-run.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_list_runs';

export const listRuns = githubTool({
  name: TOOL,
  title: 'List workflow runs',
  description: 'Lists runs of GitHub Actions, the latest first: by workflow, branch, event, status or commit.',
  phrases: 'list workflow runs; last builds; failed CI runs; is a deployment running; runs of a branch',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    workflow: workflowInput.optional(),
    branch: z.string().min(1).max(250).optional().describe('Only of this branch'),
    event: z.string().min(1).max(50).optional().describe('push, pull_request, workflow_dispatch, schedule, …'),
    status: z
      .enum([
        'completed',
        'success',
        'failure',
        'cancelled',
        'skipped',
        'timed_out',
        'action_required',
        'neutral',
        'stale',
        'queued',
        'in_progress',
        'requested',
        'waiting',
        'pending',
      ])
      .optional(),
    actor: z.string().min(1).max(100).optional().describe('User who started it'),
    sha: shaInput.optional().describe('Commit'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ runs: z.array(runOutput), total: z.int(), ...moreOutput }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const { repo, workflow, branch, event, status, actor, sha } = asked;
    const { items, more, answer } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.object({ total_count: z.int(), workflow_runs: z.array(run) }),
        path: inRepo(repo, 'actions', ...(workflow === undefined ? [] : ['workflows', workflow]), 'runs'),
        query: { branch, event, status, actor, head_sha: sha, exclude_pull_requests: true },
        items: ({ workflow_runs }) => workflow_runs,
        shape: shownRun,
        besides: { total: 0 },
      },
      { signal, progress },
    );
    return { runs: items, total: answer.total_count, ...more };
  },
});
