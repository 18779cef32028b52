import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { workflowInput } from '../action-input.ts';
import { orSay } from '../refusal.ts';
import { githubTool, inRepo, refInput, repoInput } from '../tool.ts';

export const dispatchWorkflow = githubTool({
  name: 'github_dispatch_workflow',
  title: 'Start a workflow',
  description: 'Starts a GitHub Actions workflow that has the trigger workflow_dispatch, with inputs.',
  phrases: 'run a workflow; trigger a GitHub action; start a deployment; dispatch a workflow',
  effect: 'execute',
  input: z.strictObject({
    repo: repoInput,
    workflow: workflowInput,
    ref: refInput.describe('Branch or tag whose version of the workflow runs'),
    inputs: z
      .record(z.string().min(1).max(100), z.union([z.string().max(10_000), z.number(), z.boolean()]))
      .refine((given) => Object.keys(given).length <= 25, 'must have at most 25 keys')
      .optional()
      .describe('As the workflow declares them'),
  }),
  output: z.object({ workflow: z.string(), ref: z.string(), note: z.string() }),
  async run({ repo, workflow, ref, inputs }, github, { signal }, progress) {
    const sent = github.json(z.unknown(), inRepo(repo, 'actions', 'workflows', workflow, 'dispatches'), {
      method: 'POST',
      body: { ref, ...(inputs && { inputs }) },
      signal,
      progress,
    });
    await orSay(sent, ({ status, body }) => {
      if (status === 404)
        return new AppError(
          'not_found',
          `${repo} has no workflow ${workflow}, or the token may not start it. github_list_workflows shows them.`,
        );
      return status === 422 && /workflow_dispatch/.test(body)
        ? new AppError(
            'invalid_input',
            `The workflow ${workflow} cannot be started by hand: its file at ${ref} needs "on: workflow_dispatch".`,
          )
        : undefined;
    });
    return {
      workflow,
      ref,
      note: 'Started. github_list_runs with event workflow_dispatch shows the run in a few seconds.',
    };
  },
});
