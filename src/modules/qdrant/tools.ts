import { countPoints } from './tools/count-points.ts';
import { countValues } from './tools/count-values.ts';
import { createCollection } from './tools/create-collection.ts';
import { createIndex } from './tools/create-index.ts';
import { createSnapshot } from './tools/create-snapshot.ts';
import { deleteCollection } from './tools/delete-collection.ts';
import { deletePayload } from './tools/delete-payload.ts';
import { deletePoints } from './tools/delete-points.ts';
import { getCollection } from './tools/get-collection.ts';
import { getPoints } from './tools/get-points.ts';
import { getStatus } from './tools/get-status.ts';
import { listCollections } from './tools/list-collections.ts';
import { listSnapshots } from './tools/list-snapshots.ts';
import { scrollPoints } from './tools/scroll-points.ts';
import { search } from './tools/search.ts';
import { setPayload } from './tools/set-payload.ts';
import { upsertPoints } from './tools/upsert-points.ts';

export const qdrantTools = [
  search,
  listCollections,
  getCollection,
  scrollPoints,
  getPoints,
  countPoints,
  countValues,
  upsertPoints,
  setPayload,
  deletePayload,
  deletePoints,
  createCollection,
  deleteCollection,
  createIndex,
  listSnapshots,
  createSnapshot,
  getStatus,
];
