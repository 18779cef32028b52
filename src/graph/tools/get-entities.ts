import { z } from 'zod';
import { cursorFor, placeIn } from '../../kernel/cursor.ts';
import { sameArguments } from '../../kernel/tool.ts';
import { lookedUp } from '../checked.ts';
import type { Entity, GraphEngine, Observation } from '../engine.ts';
import { foldedName } from '../names.ts';
import { asOf, asOfInput, graphTool, namesInput } from '../tool.ts';
import { type Room, roomFor } from './fitting.ts';
import { orCalled, orOne } from './other-names.ts';
import { entityOutput, relationOutput, shownHead, shownObservation, shownRelation, truncatedOutput } from './shown.ts';

const NAME = 'graph_get_entities';
const MOST = 100;
const OBSERVATIONS = 50;
const RELATIONS = 100;
/** What is left is for relations. */
const FOR_ENTITIES = 6000;
const FOR_RELATIONS = 1600;

export const getEntities = graphTool({
  name: NAME,
  aliases: { graph_open_nodes: sameArguments },
  title: 'Get entities',
  description:
    'Opens entities of the knowledge graph by name: properties, whole observations, and relations at either end. With detail "full" also ids, times and authors.',
  effect: 'read',
  phrases:
    'open a node of the graph; show everything about ada; read an entity by name; all facts about this person; open nodes; details of a graph entity; give me the observations of a company; when was this fact recorded and by whom; show the properties of an entity; full entry of a customer in the graph; read the whole observation',
  input: orCalled(
    { entityNames: 'names', name: 'names' },
    z.strictObject({
      names: orOne(namesInput(MOST)).describe('Names of entities'),
      detail: z.enum(['short', 'full']).default('short').describe('full: with ids, times and authors'),
      as_of: asOfInput,
      cursor: z.string().optional().describe('From the last reply'),
    }),
  ),
  output: z.looseObject({
    entities: z.array(entityOutput),
    relations: z.array(relationOutput).optional(),
    missing: z.array(z.string()).optional().describe('Names without an entity that is valid then'),
    truncated: truncatedOutput,
    cursor: z.string().optional(),
  }),
  examples: [{ title: 'One entity', arguments: { names: ['Ada Lovelace'] } }],
  async run({ names, detail, as_of, cursor }, deps) {
    const filters = { names, detail, as_of };
    const { skip, next: after } = placeIn(NAME, filters, cursor);
    const at = asOf(as_of);
    const isFull = detail === 'full';
    const graph = await deps.graph();
    const rest = names.slice(skip);
    const opened = await graph.open(rest, { asOf: at, observations: OBSERVATIONS, relations: RELATIONS });
    const room = roomFor(FOR_ENTITIES);
    const shown: ReturnType<typeof shownHead>[] = [];
    let place: { skip: number; next?: string } | undefined;
    for (const entity of opened.entities) {
      const head = shownHead(entity, isFull);
      const isOnly = shown.length === 0;
      const filled = room.take(head)
        ? await fill(graph, entity, { from: isOnly ? after : undefined, at, room, isOnly }, (one) =>
            shownObservation(one, isFull),
          )
        : undefined;
      const here = skip + positionOf(rest, entity);
      if (filled) shown.push({ ...head, observations: filled.observations });
      else place = { skip: here };
      if (filled?.next !== undefined) place = { skip: here, next: filled.next };
      if (place) break;
    }
    const isFirst = cursor === undefined;
    const lines = roomFor(FOR_RELATIONS).fitting(opened.relations.map((relation) => shownRelation(relation, isFull)));
    const isCut = isFirst && (opened.more || lines.length < opened.relations.length);
    return {
      entities: shown,
      ...(isFirst && { relations: lines }),
      ...(isFirst && opened.missing.length > 0 && { missing: opened.missing }),
      ...((isCut || place) && {
        truncated: [
          ...(place ? ['There is more: repeat the call with this cursor.'] : []),
          ...(isCut ? ['Not all relations are shown: graph_get_neighbours shows those of one entity.'] : []),
        ].join(' '),
      }),
      ...(place && { cursor: cursorFor(NAME, filters, place) }),
    };
  },
});

/** Where the names go on: names without an entity have no place in the answer. */
function positionOf(names: readonly string[], { name }: Entity): number {
  const exact = names.findIndex((one) => lookedUp(one) === name);
  return exact >= 0 ? exact : names.findIndex((one) => foldedName(lookedUp(one)) === foldedName(name));
}

/** As many observations as there is room for, and where to go on. Undefined if none fits; the only entity has at least one. */
async function fill(
  graph: GraphEngine,
  entity: Entity,
  { from, at, room, isOnly }: { from: string | undefined; at: string; room: Room; isOnly: boolean },
  shown: (observation: Observation) => unknown,
): Promise<{ observations: unknown[]; next?: string } | undefined> {
  const start = { asOf: at, ...(from !== undefined && { after: from }) };
  const page =
    from === undefined
      ? entity.observations
      : (await graph.observations(entity.name, { ...start, limit: OBSERVATIONS })).items;
  const taken: unknown[] = [];
  for (const one of page.map(shown)) {
    if (!room.take(one) && (taken.length > 0 || !isOnly)) break;
    taken.push(one);
  }
  if (taken.length === 0) return page.length === 0 ? { observations: [] } : undefined;
  const { next } = await graph.observations(entity.name, { ...start, limit: taken.length });
  return { observations: taken, ...(next !== undefined && { next }) };
}
