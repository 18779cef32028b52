import { z } from 'zod';
import { blueprintTool, findingView, nameInput } from '../tool.ts';

const MOST_TEXT = 2800;

export const show = blueprintTool({
  name: 'blueprint_show',
  title: 'Show a blueprint',
  description: 'Shows one blueprint: its text, its inputs with their schemas, and what is wrong with it.',
  effect: 'read',
  phrases:
    'show a blueprint; definition of a blueprint; yaml of the blueprint; which inputs does it need; what does this blueprint do; look at a blueprint',
  input: z.strictObject({
    name: nameInput,
    offset: z.int().min(0).optional().describe('Where in the text to begin'),
  }),
  output: z.object({
    name: z.string(),
    kind: z.enum(['blueprint', 'recipe']),
    origin: z.string(),
    file: z.string().optional(),
    saved_by: z.string().optional(),
    hides: z.string().optional().describe('A definition of the same name from there is not used'),
    text: z.string(),
    next_offset: z.number().optional(),
    findings: z.array(findingView).optional(),
  }),
  examples: [{ title: 'One', arguments: { name: 'provision-agent' } }],
  async run({ name, offset = 0 }, deps) {
    const { definitions } = await deps.open();
    const known = await definitions.existing(name);
    const findings = await definitions.findingsOf(known);
    const text = known.text.slice(offset, offset + MOST_TEXT);
    const end = offset + text.length;
    return {
      name: known.name,
      kind: known.kind,
      origin: known.origin,
      ...(known.file !== undefined && { file: known.file }),
      ...(known.savedBy !== undefined && { saved_by: known.savedBy }),
      ...(known.hides !== undefined && { hides: known.hides }),
      text,
      ...(end < known.text.length && { next_offset: end }),
      ...(findings.length > 0 && { findings: findings.slice(0, 5) }),
    };
  },
});
