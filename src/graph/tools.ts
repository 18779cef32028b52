import { addObservations } from './tools/add-observations.ts';
import { createEntities } from './tools/create-entities.ts';
import { createRelations } from './tools/create-relations.ts';
import { deleteEntities } from './tools/delete-entities.ts';
import { deleteObservations } from './tools/delete-observations.ts';
import { deleteRelations } from './tools/delete-relations.ts';
import { draw } from './tools/draw.ts';
import { end } from './tools/end.ts';
import { findDuplicates } from './tools/find-duplicates.ts';
import { findPath } from './tools/find-path.ts';
import { getEntities } from './tools/get-entities.ts';
import { getNeighbours } from './tools/get-neighbours.ts';
import { getStats } from './tools/get-stats.ts';
import { getSubgraph } from './tools/get-subgraph.ts';
import { mergeEntities } from './tools/merge-entities.ts';
import { search } from './tools/search.ts';
import { updateEntity } from './tools/update-entity.ts';

/** The tools, in the order of the list. */
export const graphTools = [
  search,
  getEntities,
  getNeighbours,
  findPath,
  getSubgraph,
  draw,
  getStats,
  findDuplicates,
  createEntities,
  createRelations,
  addObservations,
  updateEntity,
  end,
  mergeEntities,
  deleteEntities,
  deleteObservations,
  deleteRelations,
];
