import { z } from 'zod';
import { brief } from '../../text-part.ts';
import { upstreamPages } from '../../upstream-pages.ts';
import { logs, numbered } from '../answers.ts';
import { timeOf } from '../lenient.ts';
import { appInput, cursorInput, cursorOutput, difyTool } from '../tool.ts';

export const listRunsTool = difyTool({
  name: 'dify_list_runs',
  title: 'List runs',
  description: 'Lists the runs of a workflow app, the last first: status, error, time, tokens.',
  phrases: 'last runs of a dify workflow; which dify runs failed; dify workflow logs; history of a dify workflow',
  effect: 'read',
  input: z.strictObject({
    app: appInput,
    status: z.enum(['succeeded', 'failed', 'stopped']).optional(),
    keyword: z.string().max(200).optional().describe('In inputs and outputs'),
    cursor: cursorInput,
  }),
  output: z.object({
    runs: z.array(
      z.object({
        id: z.string(),
        status: z.string().optional(),
        error: z.string().optional(),
        created: z.string().optional(),
        from: z.string().optional(),
        seconds: z.number().optional(),
        tokens: z.number().optional(),
        steps: z.number().optional(),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ app: given, cursor, status, keyword }, dify, { signal }) {
    const app = dify.app(given);
    const asked = { app: app.name, status, keyword };
    const { items, ...next } = await upstreamPages(
      { list: 'dify_list_runs', asked, cursor },
      numbered(app, logs, ['workflows', 'logs'], { query: { status, keyword }, signal }),
      ({ workflow_run: one, created_from }) =>
        one && {
          id: one.id,
          ...(one.status && { status: one.status }),
          ...(one.error && { error: brief(one.error, 600) }),
          created: timeOf(one.created_at),
          ...(created_from && { from: created_from.slice(0, 50) }),
          ...(typeof one.elapsed_time === 'number' && { seconds: Math.round(one.elapsed_time * 100) / 100 }),
          ...(typeof one.total_tokens === 'number' && { tokens: one.total_tokens }),
          ...(typeof one.total_steps === 'number' && { steps: one.total_steps }),
        },
    );
    return { runs: items.filter((one) => one !== null), ...next };
  },
});
