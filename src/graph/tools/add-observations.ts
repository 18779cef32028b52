import { z } from 'zod';
import { authorOf, bytesOf, graphTool, MOST_AT_ONCE, nameInput } from '../tool.ts';
import { newObservation, observationsInput } from './create-entities.ts';
import { roomFor } from './fitting.ts';
import { orCalled, orOne } from './other-names.ts';
import { shortText, truncatedOutput } from './shown.ts';

const NAMES = { entityName: 'entity', name: 'entity', observations: 'contents', texts: 'contents' };

/** `{ entity, contents }` where a list of such objects is expected. */
function aboutOne(given: unknown): unknown {
  const keys = typeof given === 'object' && given !== null ? Object.keys(given) : [];
  const isOne = ['entity', 'entityName', 'name'].some((key) => keys.includes(key));
  return isOne ? { observations: [given] } : given;
}

export const addObservations = graphTool({
  name: 'graph_add_observations',
  title: 'Add observations',
  description:
    'Adds facts, as short texts, to entities of the knowledge graph that exist. All or nothing. A text that an entity has already is not added twice.',
  effect: 'create',
  phrases:
    'add a fact about a person; note something about an entity; remember that ada likes tea; new observation; append facts to a node; learned something new about the project, store it; write down what i know about somebody; attach notes to an entity in the graph; extend what is known about a customer; add details to a graph node; another fact for this company; record an observation',
  input: z.preprocess(
    aboutOne,
    z.strictObject({
      observations: orOne(
        z
          .array(
            orCalled(
              NAMES,
              z.strictObject({ entity: nameInput, contents: observationsInput.describe('One fact each') }),
            ),
          )
          .min(1)
          .max(MOST_AT_ONCE),
      ).describe('Facts by entity'),
    }),
  ),
  output: z.looseObject({
    results: z.array(
      z.looseObject({ entity: z.string(), added: z.array(z.string()), existing: z.number().optional() }),
    ),
    truncated: truncatedOutput,
  }),
  examples: [
    {
      title: 'Two facts about one entity',
      arguments: { observations: [{ entity: 'Ada Lovelace', contents: ['Likes tea', 'Lives in London'] }] },
    },
  ],
  async run({ observations }, deps, context) {
    const graph = await deps.graph();
    const given = observations.map(({ entity, contents }) => ({ entity, observations: contents.map(newObservation) }));
    const observed = await deps.quota.within(context.principal, bytesOf(given), async () =>
      graph.observe(given, authorOf(context)),
    );
    const results = observed.map(({ entity, added, existing }) => ({
      entity,
      added: added.map(({ text }) => shortText(text)),
      ...(existing.length > 0 && { existing: existing.length }),
    }));
    const shown = roomFor().fitting(results);
    const left = results.length - shown.length;
    return {
      results: shown,
      ...(left > 0 && { truncated: `Everything was stored; the results of ${left} more entities are not shown here.` }),
    };
  },
});
