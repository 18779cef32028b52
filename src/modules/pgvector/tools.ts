import { createCollection } from './tools/create-collection.ts';
import { createIndex } from './tools/create-index.ts';
import { deleteItems } from './tools/delete-items.ts';
import { dropCollection } from './tools/drop-collection.ts';
import { dropIndex } from './tools/drop-index.ts';
import { getCollection } from './tools/get-collection.ts';
import { getItems } from './tools/get-items.ts';
import { listCollections } from './tools/list-collections.ts';
import { listIndexes } from './tools/list-indexes.ts';
import { listItems } from './tools/list-items.ts';
import { search } from './tools/search.ts';
import { updateMetadata } from './tools/update-metadata.ts';
import { upsertItems } from './tools/upsert-items.ts';

export const pgvectorTools = [
  search,
  listCollections,
  getCollection,
  listItems,
  getItems,
  upsertItems,
  updateMetadata,
  deleteItems,
  createCollection,
  dropCollection,
  listIndexes,
  createIndex,
  dropIndex,
];
