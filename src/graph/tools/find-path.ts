import { z } from 'zod';
import { quoted } from '../../kernel/some-of.ts';
import type { Path } from '../engine.ts';
import { asOf, asOfInput, graphTool, nameInput, typesInput } from '../tool.ts';
import { directionInput } from './get-neighbours.ts';
import { relationOutput, shownRelation } from './shown.ts';

export const findPath = graphTool({
  name: 'graph_find_path',
  title: 'Find a path',
  description:
    'The shortest way from one entity of the knowledge graph to another, as entities and relations. Relations count in both directions unless direction says otherwise.',
  effect: 'read',
  phrases:
    'how is ada connected to bob; shortest path between two nodes; how do i get from this person to that company; what links these two things; degrees of separation; is there a connection between a and b; through whom do they know each other; chain of relations from one entity to another; how are these related',
  input: z.strictObject({
    from: nameInput,
    to: nameInput,
    direction: directionInput,
    types: typesInput,
    max_length: z.int().min(1).max(20).default(10).describe('At most this many relations'),
    as_of: asOfInput,
  }),
  output: z.looseObject({
    found: z.boolean(),
    length: z.number().optional().describe('How many relations'),
    path: z.string().optional().describe('E.g. "Ada" -works_at-> "Acme" <-works_at- "Bob"'),
    entities: z.array(z.object({ name: z.string(), type: z.string() })).describe('In order'),
    relations: z.array(relationOutput).describe('In order'),
    hint: z.string().optional(),
  }),
  examples: [{ title: 'Between two people', arguments: { from: 'Ada Lovelace', to: 'Alan Turing' } }],
  async run({ from, to, direction, types, max_length: depth, as_of }, deps) {
    const graph = await deps.graph();
    const path = await graph.path(from, to, { depth, direction, asOf: asOf(as_of), ...(types && { types }) });
    if (!path)
      return {
        found: false,
        entities: [],
        relations: [],
        hint: `No path of at most ${depth} relations. Try a greater max_length, other types or direction both.`,
      };
    return {
      found: true,
      length: path.relations.length,
      path: inWords(path),
      entities: path.entities,
      relations: path.relations.map((relation) => shownRelation(relation)),
    };
  },
});

const inWords = ({ entities, relations }: Path): string =>
  entities
    .map(({ name }, at) => {
      const relation = relations[at - 1];
      if (!relation) return quoted(name);
      return relation.to === name ? `-${relation.type}-> ${quoted(name)}` : `<-${relation.type}- ${quoted(name)}`;
    })
    .join(' ');
