import { z } from 'zod';
import {
  authorOf,
  bytesOf,
  graphTool,
  MOST_AT_ONCE,
  nameInput,
  propertiesInput,
  validityInput,
  validityOf,
} from '../tool.ts';
import { roomFor } from './fitting.ts';
import { orCalled, orOne, relationNames } from './other-names.ts';
import { relationOutput, shownRelation, truncatedOutput } from './shown.ts';

export const createRelations = graphTool({
  name: 'graph_create_relations',
  title: 'Create relations',
  description:
    'Connects entities of the knowledge graph: from, type in active voice (works_at), to. All or nothing: both entities must exist. A relation that exists is not added twice.',
  effect: 'create',
  phrases:
    'connect two entities; link people in the graph; say that ada works at acme; add an edge; relate one thing to another; who knows whom, store it; create a relation between nodes; record that a project depends on another; draw a connection between two things in the graph; somebody is part of a team, note it; tie entities together; store a relationship; link a person to a company; add relationships',
  input: z.strictObject({
    relations: orOne(
      z
        .array(
          orCalled(
            relationNames,
            z.strictObject({
              from: nameInput,
              type: z.string().describe('E.g. works_at'),
              to: nameInput,
              properties: propertiesInput.optional(),
              ...validityInput,
            }),
          ),
        )
        .min(1)
        .max(MOST_AT_ONCE),
    ).describe('Relations to create'),
  }),
  output: z.looseObject({
    relations: z.array(relationOutput).describe('Those that are new'),
    existing: z.array(relationOutput).optional().describe('Those that were there'),
    truncated: truncatedOutput,
  }),
  examples: [
    {
      title: 'Who works where',
      arguments: { relations: [{ from: 'Ada Lovelace', type: 'works_with', to: 'Babbage' }] },
    },
  ],
  async run({ relations }, deps, context) {
    const graph = await deps.graph();
    const given = relations.map(({ from, type, to, properties, ...validity }) => ({
      from,
      type,
      to,
      ...(properties && { properties }),
      ...validityOf(validity),
    }));
    const { created, existing } = await deps.quota.within(context.principal, bytesOf(given), async () =>
      graph.relate(given, authorOf(context)),
    );
    const room = roomFor();
    const shown = room.fitting(
      created.map((relation) => ({ ...shownRelation(relation), recorded_at: relation.recordedAt })),
    );
    const known = room.fitting(existing.map((relation) => shownRelation(relation)));
    const left = created.length - shown.length + existing.length - known.length;
    return {
      relations: shown,
      ...(existing.length > 0 && { existing: known }),
      ...(left > 0 && { truncated: `${created.length} were created; ${left} of the list are not shown here.` }),
    };
  },
});
