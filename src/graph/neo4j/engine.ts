import type { GraphEngine } from '../engine.ts';
import type { Neo4j, Run } from './connection.ts';
import { merge } from './merging.ts';
import { entities, heads, observations, open, relations, stats } from './reading.ts';
import { deleteEntities, deleteObservations, deleteRelations, end } from './removing.ts';
import { createSchema } from './schema.ts';
import { search } from './searching.ts';
import { neighbours, path, subgraph } from './walking.ts';
import { create, observe, relate, update } from './writing.ts';

/**
 * The graph in Neo4j. An entity is a node with the label `Entity` and its type as another label; a relation is a
 * relationship. Nodes without the label `Entity` are somebody else's.
 */
export function neo4jEngine(neo4j: Neo4j, warn: (line: string) => void): GraphEngine {
  const schema = createSchema(neo4j, warn);
  const reads =
    <A extends readonly unknown[], T>(work: (run: Run, ...asked: A) => Promise<T>) =>
    (...asked: A): Promise<T> =>
      neo4j.read((run) => work(run, ...asked));
  const writes =
    <A extends readonly unknown[], T>(work: (run: Run, ...asked: A) => Promise<T>) =>
    async (...asked: A): Promise<T> => {
      await schema();
      return await neo4j.write((run) => work(run, ...asked));
    };
  return {
    create: writes(create),
    relate: writes(relate),
    observe: writes(observe),
    update: writes(update),
    end: writes(end),
    deleteEntities: writes(deleteEntities),
    deleteObservations: writes(deleteObservations),
    deleteRelations: writes(deleteRelations),
    merge: writes(merge),
    open: reads(open),
    observations: reads(observations),
    entities: reads(entities),
    relations: reads(relations),
    heads: reads(heads),
    search: reads(search),
    neighbours: reads(neighbours),
    subgraph: reads(subgraph),
    path: reads(path),
    stats: reads(stats),
    [Symbol.asyncDispose]: () => neo4j[Symbol.asyncDispose](),
  };
}
