import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { brief } from '../../text-part.ts';
import { info } from '../answers.ts';
import { cursorInput, cursorOutput, difyTool } from '../tool.ts';

const AT_ONCE = 20;

export const listAppsTool = difyTool({
  name: 'dify_list_apps',
  title: 'List apps',
  description: 'Lists the apps whose keys are configured, with their mode: which tool runs them.',
  phrases: 'which dify apps are there; list dify apps; what can dify do; available chatbots and workflows in dify',
  effect: 'read',
  input: z.strictObject({ cursor: cursorInput }),
  output: z.object({
    apps: z.array(
      z.object({
        app: z.string().describe('Its name here'),
        name: z.string().optional().describe('Its name in Dify'),
        mode: z.string().optional(),
        tool: z.string().optional().describe('That runs it'),
        description: z.string().optional(),
        error: z.string().optional(),
      }),
    ),
    cursor: cursorOutput,
    note: z.string().optional(),
  }),
  async run({ cursor }, dify, { signal }) {
    const { skip } = placeIn('dify_list_apps', {}, cursor);
    const names = dify.appNames.slice(skip, skip + AT_ONCE);
    const all = await Promise.all(
      names.map(async (app) => {
        try {
          const { name, mode, description } = await dify.app(app).get(info, ['info'], { signal });
          return {
            app,
            ...(name && { name: brief(name, 150) }),
            ...(mode && { mode: brief(mode, 50), tool: toolFor(mode) }),
            ...(description && { description: brief(description, 500) }),
          };
        } catch (error) {
          // One key may be wrong. If the service is away, that is the answer.
          if (error instanceof AppError && (dify.appNames.length > 1 || error.code === 'forbidden'))
            return { app, error: brief(error.message, 600) };
          throw error;
        }
      }),
    );
    const apps = all.slice(0, all.length === 0 ? 0 : fittingItems(all));
    const end = skip + apps.length;
    return {
      apps,
      ...(end < dify.appNames.length && { cursor: cursorFor('dify_list_apps', {}, { skip: end }) }),
      ...(dify.appNames.length === 0 && { note: 'Only datasets are configured: dify_list_datasets shows them.' }),
    };
  },
});

const toolFor = (mode: string): string =>
  mode === 'workflow' ? 'dify_run_workflow' : mode === 'completion' ? 'dify_complete' : 'dify_chat';
