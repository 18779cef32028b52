import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { brief, textPart } from '../../text-part.ts';
import { run } from '../answers.ts';
import { timeOf } from '../lenient.ts';
import { outputsOutput, shownOutputs, textOf } from '../outputs.ts';
import { appInput, difyTool, id, offsetInput } from '../tool.ts';

export const getRunTool = difyTool({
  name: 'dify_get_run',
  title: 'Show a run',
  description: 'Shows a run of a workflow: status, outputs, error, time. With output, one output whole, part by part.',
  phrases:
    'result of a dify workflow run; did the dify workflow finish; why did the dify run fail; read a long dify output',
  effect: 'read',
  input: z.strictObject({
    app: appInput,
    id: id.describe('run_id'),
    output: z.string().max(200).optional().describe('Name of one output, to read all of it'),
    offset: offsetInput,
  }),
  output: z.object({
    id: z.string(),
    status: z.string().optional(),
    outputs: outputsOutput.optional(),
    cut: z.array(z.string()).optional().describe('Read these with output'),
    text: z.string().optional().describe('Of the output that was asked for'),
    characters: z.int().optional(),
    next_offset: z.int().optional(),
    error: z.string().optional(),
    created: z.string().optional(),
    seconds: z.number().optional(),
    tokens: z.number().optional(),
    steps: z.number().optional(),
  }),
  async run({ app, id: runId, output, offset }, dify, { signal }) {
    const found = await dify.app(app).get(run, ['workflows', 'run', runId], { signal });
    const about = { id: found.id, ...(found.status && { status: found.status }) };
    if (output !== undefined) {
      if (!Object.hasOwn(found.outputs, output))
        throw new AppError(
          'not_found',
          `The run has no output ${output}. It has: ${brief(Object.keys(found.outputs).join(', ') || 'none', 600)}.`,
        );
      return { ...about, ...textPart(textOf(found.outputs[output]), offset) };
    }
    const { outputs, cut } = shownOutputs(found.outputs);
    return {
      ...about,
      outputs,
      ...(cut.length > 0 && { cut }),
      ...(found.error && { error: brief(found.error, 1500) }),
      created: timeOf(found.created_at),
      ...(typeof found.elapsed_time === 'number' && { seconds: Math.round(found.elapsed_time * 100) / 100 }),
      ...(typeof found.total_tokens === 'number' && { tokens: found.total_tokens }),
      ...(typeof found.total_steps === 'number' && { steps: found.total_steps }),
    };
  },
});
