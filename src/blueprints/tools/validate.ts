import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { blueprintTool, findingView, nameInput } from '../tool.ts';

export const validate = blueprintTool({
  name: 'blueprint_validate',
  title: 'Check a blueprint',
  description:
    'Checks a blueprint, by name or as text: its form, its expressions, that steps refer only to steps before, that its tools exist and their arguments fit. Each finding has its line and a fix.',
  effect: 'read',
  phrases:
    'validate a blueprint; check a blueprint; is this blueprint right; lint blueprint yaml; what is wrong with my blueprint; test a definition before saving',
  recorded: ['name'],
  input: z.strictObject({
    name: nameInput.optional(),
    text: z
      .string()
      .max(256 * 1024)
      .optional()
      .describe('A definition in YAML, instead of a name'),
  }),
  output: z.object({
    valid: z.boolean(),
    findings: z.array(findingView),
    more_findings: z.number().optional(),
  }),
  examples: [{ title: 'By name', arguments: { name: 'provision-agent' } }],
  async run({ name, text }, deps) {
    if ((name === undefined) === (text === undefined))
      throw new AppError('invalid_input', 'Give either a name or a text.');
    const { definitions } = await deps.open();
    const findings =
      text === undefined
        ? await definitions.findingsOf(await definitions.existing(name as string))
        : await definitions.findingsIn(text);
    const shown = findings.map((one) => ({ ...one }));
    const fits = shown.length === 0 ? 0 : fittingItems(shown);
    return {
      valid: !findings.some(({ severity }) => severity === 'error'),
      findings: shown.slice(0, fits),
      ...(fits < shown.length && { more_findings: shown.length - fits }),
    };
  },
});
