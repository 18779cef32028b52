import { z } from 'zod';
import type { NewObservation } from '../engine.ts';
import { authorOf, bytesOf, graphTool, MOST_AT_ONCE, propertiesInput, validityInput, validityOf } from '../tool.ts';
import { roomFor } from './fitting.ts';
import { entityNames, orCalled, orOne } from './other-names.ts';
import { entityOutput, shownEntity, truncatedOutput } from './shown.ts';

/** A text, or a text with its validity. */
const observation = z.union([
  z.string(),
  z.strictObject({ text: z.string().describe('What was observed'), ...validityInput }),
]);
export const observationsInput = orOne(z.array(observation).max(MOST_AT_ONCE));

export const newObservation = (given: z.output<typeof observation>): NewObservation =>
  typeof given === 'string' ? { text: given } : { text: given.text, ...validityOf(given) };

export const createEntities = graphTool({
  name: 'graph_create_entities',
  title: 'Create entities',
  description:
    'Adds people, things, projects or ideas to the knowledge graph, each with a type and observations (facts as short texts). All or nothing. An entity that exists stays as it is and gets the new observations. Connect them with graph_create_relations.',
  effect: 'create',
  phrases:
    'add a person to the knowledge graph; remember this company as an entity; create a node in the graph; new entity with observations; put these people into the graph; store a project in the knowledge graph; add things to the graph; save entities; record a new customer in the graph; make graph nodes; note that somebody exists; add a concept to my knowledge base graph; register a person with facts; insert entities; create several entities at once',
  input: z.strictObject({
    entities: orOne(
      z
        .array(
          orCalled(
            entityNames,
            z.strictObject({
              name: z.string().describe('Unique name'),
              type: z.string().describe('E.g. person, project, company'),
              properties: propertiesInput.optional(),
              observations: observationsInput.optional().describe('One fact each'),
              ...validityInput,
            }),
          ),
        )
        .min(1)
        .max(MOST_AT_ONCE),
    ).describe('Entities to create'),
  }),
  output: z.looseObject({
    entities: z.array(entityOutput).describe('Those that are new'),
    existing: z
      .array(z.looseObject({ name: z.string(), added_observations: z.number() }))
      .optional()
      .describe('Those that were there'),
    truncated: truncatedOutput,
  }),
  examples: [
    {
      title: 'A person with facts',
      arguments: { entities: [{ name: 'Ada Lovelace', type: 'person', observations: ['Wrote the first program'] }] },
    },
  ],
  async run({ entities }, deps, context) {
    const graph = await deps.graph();
    const given = entities.map(({ name, type, properties, observations = [], ...validity }) => ({
      name,
      type,
      ...(properties && { properties }),
      ...validityOf(validity),
      observations: observations.map(newObservation),
    }));
    const { created, existing } = await deps.quota.within(context.principal, bytesOf(given), async () =>
      graph.create(given, authorOf(context)),
    );
    const room = roomFor();
    const shown = room.fitting(created.map((entity) => shownEntity(entity)));
    const known = room.fitting(
      existing.map(({ entity, added }) => ({ name: entity, added_observations: added.length })),
    );
    const left = created.length - shown.length + existing.length - known.length;
    return {
      entities: shown,
      ...(existing.length > 0 && { existing: known }),
      ...(left > 0 && {
        truncated: `${created.length} were created; ${left} of the list are not shown here. graph_get_entities shows them.`,
      }),
    };
  },
});
