import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { counted, quoted, someOf } from '../../kernel/some-of.ts';
import { graphTool } from '../tool.ts';
import { observationNamesInput } from './named.ts';
import { orCalled } from './other-names.ts';

export const deleteObservations = graphTool({
  name: 'graph_delete_observations',
  title: 'Delete observations',
  description:
    'Deletes observations of entities of the knowledge graph for good, by exact text or id. To keep what was true once, use graph_end.',
  effect: 'delete',
  phrases:
    'delete a fact about a person; remove an observation; this fact is wrong, erase it; forget what i said about ada; delete observations of an entity; take a note off a graph node; remove wrong facts from the graph',
  input: orCalled(
    { observations: 'deletions' },
    z.strictObject({ deletions: observationNamesInput.describe('Observations by entity') }),
  ),
  output: z.looseObject({
    deleted: z.number(),
    missing: z
      .array(z.looseObject({ entity: z.string(), observations: z.array(z.string()) }))
      .optional()
      .describe('Those that do not exist'),
  }),
  async preview({ deletions }, deps) {
    const graph = await deps.graph();
    const names = deletions.map(({ entity }) => entity);
    const { missing } = await graph.open(names, { asOf: 'any', observations: 0, relations: 0 });
    if (new Set(missing).size === new Set(names).size)
      throw new AppError(
        'not_found',
        `No entity is called ${someOf(missing.map(quoted))}. graph_search finds them by words.`,
      );
    const count = deletions.flatMap(({ observations }) => observations).length;
    const texts = deletions.flatMap(({ entity, observations }) =>
      observations.map((text) => `${quoted(text)} of ${quoted(entity)}`),
    );
    return `It deletes at most ${counted(count, 'observation')} for good: ${someOf(texts, 5)}.`;
  },
  async run({ deletions }, deps) {
    const graph = await deps.graph();
    const { deleted, missing } = await graph.deleteObservations(deletions);
    return {
      deleted,
      ...(missing.length > 0 && { missing: missing.map((one) => ({ ...one, observations: [...one.observations] })) }),
    };
  },
});
