import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { brief } from '../../text-part.ts';
import { info, parameters } from '../answers.ts';
import { formOf } from '../app-form.ts';
import { appInput, difyTool } from '../tool.ts';

export const getAppTool = difyTool({
  name: 'dify_get_app',
  title: 'Show an app',
  description: 'Shows an app: its mode, the inputs that it takes, its opening words and suggested questions.',
  phrases:
    'which inputs does this dify app take; details of a dify app; parameters of a dify workflow; what does this chatbot do',
  effect: 'read',
  input: z.strictObject({ app: appInput }),
  output: z.object({
    app: z.string(),
    name: z.string().optional(),
    mode: z.string().optional(),
    description: z.string().optional(),
    inputs: z.array(
      z.object({
        name: z.string(),
        type: z.string(),
        required: z.boolean(),
        label: z.string().optional(),
        options: z.array(z.string()).optional(),
        max_length: z.number().optional(),
      }),
    ),
    more_inputs: z.int().optional().describe('That did not fit'),
    opening: z.string().optional(),
    suggested_questions: z.array(z.string()).optional(),
    takes_files: z.boolean(),
  }),
  async run({ app: given }, dify, { signal }) {
    const app = dify.app(given);
    const [about, params] = await Promise.all([
      app.get(info, ['info'], { signal }),
      app.get(parameters, ['parameters'], { signal }),
    ]);
    const questions = (params.suggested_questions ?? []).slice(0, 5).map((one) => brief(one, 200));
    const rest = {
      app: app.name,
      ...(about.name && { name: brief(about.name, 150) }),
      ...(about.mode && { mode: brief(about.mode, 50) }),
      ...(about.description && { description: brief(about.description, 600) }),
      ...(params.opening_statement && { opening: brief(params.opening_statement, 600) }),
      ...(questions.length > 0 && { suggested_questions: questions }),
      takes_files: /"enabled":true/.test(JSON.stringify(params.file_upload ?? {})),
    };
    const form = formOf(params);
    const inputs = form.slice(0, form.length === 0 ? 0 : fittingItems(form, rest));
    return { ...rest, inputs, ...(inputs.length < form.length && { more_inputs: form.length - inputs.length }) };
  },
});
