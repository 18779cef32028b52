import type { TablesApart } from '../../store/store.ts';
import type { GraphEngine } from '../engine.ts';
import { merge } from './merging.ts';
import { entitiesPage, headsPage, observationsOf, open, relationsPage, stats, stored } from './reading.ts';
import { deleteEntities, deleteObservations, deleteRelations, end } from './removing.ts';
import { search } from './searching.ts';
import { graphTables } from './tables.ts';
import { neighbours, path, subgraph } from './walking.ts';
import { create, observe, relate, update } from './writing.ts';

/** The graph in the tables of the store. */
export function sqlEngine(apart: TablesApart): GraphEngine {
  const tables = graphTables(apart);
  return {
    create: (...asked) => create(tables, ...asked),
    relate: (...asked) => relate(tables, ...asked),
    observe: (...asked) => observe(tables, ...asked),
    update: (...asked) => update(tables, ...asked),
    end: (...asked) => end(tables, ...asked),
    deleteEntities: (...asked) => deleteEntities(tables, ...asked),
    deleteObservations: (...asked) => deleteObservations(tables, ...asked),
    deleteRelations: (...asked) => deleteRelations(tables, ...asked),
    merge: (...asked) => merge(tables, ...asked),
    open: (...asked) => open(tables, ...asked),
    observations: (...asked) => observationsOf(tables, ...asked),
    entities: (...asked) => entitiesPage(tables, ...asked),
    relations: (...asked) => relationsPage(tables, ...asked),
    heads: (...asked) => headsPage(tables, ...asked),
    search: (...asked) => search(tables, ...asked),
    neighbours: (...asked) => neighbours(tables, ...asked),
    subgraph: (...asked) => subgraph(tables, ...asked),
    path: (...asked) => path(tables, ...asked),
    stats: (...asked) => stats(tables, ...asked),
    stored: (principal) => stored(tables, principal),
    // The store is its owner's.
    [Symbol.asyncDispose]: async () => {},
  };
}
