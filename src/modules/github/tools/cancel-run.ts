import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { runInput } from '../action-input.ts';
import { orSay } from '../refusal.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

export const cancelRun = githubTool({
  name: 'github_cancel_run',
  title: 'Cancel a workflow run',
  description: 'Cancels a run of GitHub Actions that is queued or running.',
  phrases: 'cancel a run; stop the build; abort a deployment; stop a workflow run',
  effect: 'update',
  input: z.strictObject({ repo: repoInput, run: runInput }),
  output: z.object({ run: z.int(), note: z.string() }),
  async run({ repo, run }, github, { signal }, progress) {
    const sent = github.json(z.unknown(), inRepo(repo, 'actions', 'runs', String(run), 'cancel'), {
      method: 'POST',
      signal,
      progress,
    });
    await orSay(sent, ({ status }) =>
      status === 409
        ? new AppError('conflict', `The run ${run} has completed already, so there is nothing to cancel.`)
        : undefined,
    );
    return { run, note: 'GitHub is cancelling it. github_get_run shows when it has ended.' };
  },
});
