import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { counted, quoted, someOf } from '../../kernel/some-of.ts';
import { graphTool, namesInput } from '../tool.ts';
import { orCalled, orOne } from './other-names.ts';

export const deleteEntities = graphTool({
  name: 'graph_delete_entities',
  title: 'Delete entities',
  description:
    'Deletes entities of the knowledge graph for good, with their observations and relations. To keep what was true once, use graph_end.',
  effect: 'delete',
  phrases:
    'delete an entity; remove a person from the graph; forget this node; erase a company from the knowledge graph; delete nodes; get rid of wrong entities; remove entities with their relations; wipe somebody from the graph',
  input: orCalled(
    { entityNames: 'names', entities: 'names' },
    z.strictObject({ names: orOne(namesInput()).describe('Names of entities') }),
  ),
  output: z.looseObject({
    deleted: z.array(z.string()),
    missing: z.array(z.string()).optional().describe('Names that no entity has'),
  }),
  async preview({ names }, deps) {
    const graph = await deps.graph();
    const { entities, missing } = await graph.open(names, { asOf: 'any', observations: 0, relations: 0 });
    if (entities.length === 0)
      throw new AppError(
        'not_found',
        `No entity is called ${someOf(missing.map(quoted))}. graph_search finds them by words.`,
      );
    const observations = entities.reduce((all, { counts }) => all + counts.observations, 0);
    const relations = entities.reduce((all, { counts }) => all + counts.relations, 0);
    const also = missing.length > 0 ? ` ${someOf(missing.map(quoted))} does not exist.` : '';
    return `It deletes ${someOf(entities.map(({ name }) => quoted(name)))} with ${counted(observations, 'observation')} and ${counted(relations, 'relation')} for good.${also}`;
  },
  async run({ names }, deps) {
    const graph = await deps.graph();
    const { deleted, missing } = await graph.deleteEntities(names);
    return { deleted, ...(missing.length > 0 && { missing }) };
  },
});
