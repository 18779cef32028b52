import { z } from 'zod';
import { runInput } from '../action-input.ts';
import { job, run } from '../api/actions.ts';
import { pageOf } from '../page.ts';
import { jobOutput, runOutput, shownJob, shownRun } from '../shown-run.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, repoInput } from '../tool.ts';

const TOOL = 'github_get_run';

export const getRun = githubTool({
  name: TOOL,
  title: 'Get a workflow run',
  description: 'Shows a run of GitHub Actions with its jobs and the steps that failed. github_get_job_log says why.',
  phrases: 'show a workflow run; why did the build fail; which job failed; steps of a run',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    run: runInput,
    all_steps: z.boolean().default(false).describe('Also steps that succeeded'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ run: runOutput, jobs: z.array(jobOutput), total_jobs: z.int(), ...moreOutput }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const path = inRepo(asked.repo, 'actions', 'runs', String(asked.run));
    const found = shownRun(await github.json(run, path, { signal, progress }));
    const { items, more, answer } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: z.object({ total_count: z.int(), jobs: z.array(job) }),
        path: [...path, 'jobs'],
        items: ({ jobs }) => jobs,
        shape: (one) => shownJob(one, asked.all_steps),
        besides: { run: found, total_jobs: 0 },
      },
      { signal, progress },
    );
    return { run: found, jobs: items, total_jobs: answer.total_count, ...more };
  },
});
