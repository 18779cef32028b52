import { z } from 'zod';
import { brief } from '../../text-part.ts';
import { follow } from '../follow.ts';
import { outputsOutput, shownOutputs } from '../outputs.ts';
import { appInput, difyTool, filesInput, inputsInput, sentFiles } from '../tool.ts';

export const runWorkflowTool = difyTool({
  name: 'dify_run_workflow',
  title: 'Run a workflow',
  description:
    'Runs the published workflow of an app with its inputs, and returns its outputs. If it fails, the error names the node.',
  phrases:
    'run a dify workflow; execute a workflow in dify; start the dify automation; trigger a dify workflow with inputs',
  effect: 'execute',
  input: z.strictObject({ app: appInput, inputs: inputsInput, files: filesInput }),
  output: z.object({
    run_id: z.string().optional(),
    status: z.string().describe('succeeded, partial-succeeded, stopped, or paused'),
    outputs: outputsOutput,
    cut: z.array(z.string()).optional().describe('Outputs that are longer: dify_get_run shows them'),
    seconds: z.number().optional(),
    tokens: z.number().optional(),
    steps: z.number().optional(),
    waits_for: z.string().optional().describe('It goes on when a person has answered in Dify'),
  }),
  examples: [{ title: 'With inputs', arguments: { app: 'translate', inputs: { text: 'Guten Tag', to: 'English' } } }],
  async run({ app: given, inputs, files }, dify, { signal }, progress) {
    const app = dify.app(given);
    const body = { inputs, user: dify.user, response_mode: 'streaming', ...sentFiles(files) };
    const stop = (task: string) => ['workflows', 'tasks', task, 'stop'];
    return await dify.runs.run(async () => {
      const events = app.events(['workflows', 'run'], { body, signal, progress, stop });
      const { run_id, finished, waitsFor } = await follow(events, { at: dify.at, progress });
      const { outputs, cut } = shownOutputs(finished?.outputs ?? {});
      return {
        run_id: run_id ?? finished?.id ?? undefined,
        status: finished?.status ?? (waitsFor === undefined ? 'succeeded' : 'paused'),
        outputs,
        ...(cut.length > 0 && { cut }),
        ...(typeof finished?.elapsed_time === 'number' && { seconds: Math.round(finished.elapsed_time * 100) / 100 }),
        ...(typeof finished?.total_tokens === 'number' && { tokens: finished.total_tokens }),
        ...(typeof finished?.total_steps === 'number' && { steps: finished.total_steps }),
        ...(waitsFor !== undefined && { waits_for: brief(waitsFor, 600) }),
      };
    }, signal);
  },
});
