import { z } from 'zod';
import { runInput } from '../action-input.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

export const rerunRun = githubTool({
  name: 'github_rerun_run',
  title: 'Run a workflow run again',
  description: 'Runs the failed jobs of a workflow run again, or all of them.',
  phrases: 'rerun failed jobs; retry the build; run CI again; restart a workflow run',
  effect: 'execute',
  input: z.strictObject({
    repo: repoInput,
    run: runInput,
    failed_only: z.boolean().default(true).describe('false: all jobs'),
    debug: z.boolean().default(false).describe('With debug logging'),
  }),
  output: z.object({ run: z.int(), note: z.string() }),
  async run({ repo, run, failed_only, debug }, github, { signal }, progress) {
    const what = failed_only ? 'rerun-failed-jobs' : 'rerun';
    await github.json(z.unknown(), inRepo(repo, 'actions', 'runs', String(run), what), {
      method: 'POST',
      body: { enable_debug_logging: debug },
      signal,
      progress,
    });
    return { run, note: 'Started, as a new attempt of the same run. github_get_run shows how it goes.' };
  },
});
