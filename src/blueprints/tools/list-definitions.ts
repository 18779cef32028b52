import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import { blueprintTool } from '../tool.ts';

const NAME = 'blueprint_list_definitions';

export const listDefinitions = blueprintTool({
  name: NAME,
  title: 'List blueprints',
  description:
    'Lists the blueprints that can be deployed: name, what each does, its inputs, where it comes from and whether it has problems. blueprint_show shows one whole.',
  effect: 'read',
  phrases:
    'list blueprints; which blueprints are there; what can be provisioned; show the provisioning templates; what can i deploy; available blueprints; which automation recipes exist; blueprints from files and vault',
  input: z.strictObject({
    query: z.string().max(200).optional().describe('Words in the name or description'),
    cursor: z.string().optional().describe('From the last answer'),
  }),
  output: z.object({
    definitions: z.array(
      z.object({
        name: z.string(),
        kind: z.enum(['blueprint', 'recipe']),
        description: z.string().optional(),
        origin: z.string().describe('Where it comes from'),
        steps: z.number().optional(),
        inputs: z.array(z.string()).optional().describe('A ? marks those with a default'),
        needs: z.array(z.string()).optional().describe('Services it cannot do without'),
        schedule: z.string().optional(),
        problems: z.number().optional(),
      }),
    ),
    cursor: z.string().optional(),
    problems: z.array(z.string()).optional().describe('Files and places that cannot be read'),
  }),
  examples: [{ title: 'All', arguments: {} }],
  async run({ query, cursor }, deps) {
    const { definitions } = await deps.open();
    const words = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
    const { skip } = placeIn(NAME, { query }, cursor);
    const all = (await definitions.all()).filter(({ name, summary }) => {
      const text = `${name} ${summary?.description ?? ''}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const shown = all.slice(skip).map(({ name, kind, origin, summary, findings }) => ({
      name,
      kind,
      origin,
      ...(summary?.description !== undefined && { description: summary.description.slice(0, 300) }),
      ...(summary && {
        steps: summary.steps,
        inputs: [...summary.inputs],
        ...(summary.needs.length > 0 && { needs: [...summary.needs] }),
        ...(summary.schedule !== undefined && { schedule: summary.schedule }),
      }),
      ...(findings.length > 0 && { problems: findings.length }),
    }));
    const problems = definitions.problems().map(({ where, message }) => `${where}: ${message}`);
    const fits = fittingItems(shown, problems);
    const next = skip + fits;
    return {
      definitions: shown.slice(0, fits),
      ...(next < all.length && { cursor: cursorFor(NAME, { query }, { skip: next }) }),
      ...(problems.length > 0 && { problems: problems.slice(0, 5) }),
    };
  },
});
