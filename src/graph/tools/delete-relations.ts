import { z } from 'zod';
import { counted, someOf } from '../../kernel/some-of.ts';
import { relationText } from '../names.ts';
import { graphTool } from '../tool.ts';
import { relationNamesInput } from './named.ts';
import { relationOutput } from './shown.ts';

export const deleteRelations = graphTool({
  name: 'graph_delete_relations',
  title: 'Delete relations',
  description:
    'Deletes relations of the knowledge graph for good; the entities stay. To keep what was true once, use graph_end.',
  effect: 'delete',
  phrases:
    'delete a relation; remove an edge; unlink two entities; these two are not connected, remove that; take a wrong relationship out of the graph; disconnect nodes; delete the link between a person and a company',
  input: z.strictObject({ relations: relationNamesInput.describe('Relations') }),
  output: z.looseObject({
    deleted: z.number(),
    missing: z.array(relationOutput).optional().describe('Those that do not exist'),
  }),
  preview: async ({ relations }) =>
    `It deletes ${counted(relations.length, 'relation')} for good: ${someOf(relations.map(relationText), 5)}. The entities stay.`,
  async run({ relations }, deps) {
    const graph = await deps.graph();
    const { deleted, missing } = await graph.deleteRelations(relations);
    return { deleted, ...(missing.length > 0 && { missing: missing.map((one) => ({ ...one })) }) };
  },
});
