import type { AnyTool } from '../../kernel/tool.ts';
import type { Mongo } from './connection.ts';
import { aggregate } from './tools/aggregate.ts';
import { count } from './tools/count.ts';
import { createCollection } from './tools/create-collection.ts';
import { createIndex } from './tools/create-index.ts';
import { deleteDocuments } from './tools/delete-documents.ts';
import { distinct } from './tools/distinct.ts';
import { dropCollection } from './tools/drop-collection.ts';
import { dropDatabase } from './tools/drop-database.ts';
import { dropIndex } from './tools/drop-index.ts';
import { explain } from './tools/explain.ts';
import { find } from './tools/find.ts';
import { getLogs } from './tools/get-logs.ts';
import { getSchema } from './tools/get-schema.ts';
import { getServerInfo } from './tools/get-server-info.ts';
import { getStats } from './tools/get-stats.ts';
import { insertDocuments } from './tools/insert-documents.ts';
import { listCollections } from './tools/list-collections.ts';
import { listDatabases } from './tools/list-databases.ts';
import { listIndexes } from './tools/list-indexes.ts';
import { listOperations } from './tools/list-operations.ts';
import { renameCollection } from './tools/rename-collection.ts';
import { updateDocuments } from './tools/update-documents.ts';

const tools: readonly AnyTool<Mongo>[] = [
  listDatabases,
  listCollections,
  getSchema,
  find,
  aggregate,
  count,
  distinct,
  explain,
  listIndexes,
  getStats,
  getServerInfo,
  listOperations,
  getLogs,
  insertDocuments,
  updateDocuments,
  deleteDocuments,
  createCollection,
  renameCollection,
  dropCollection,
  createIndex,
  dropIndex,
  dropDatabase,
];

/** Reads are repeated if their connection was lost. What changes something makes sure of the connection first. */
export const mongodbTools: readonly AnyTool<Mongo>[] = tools.map((tool) =>
  tool.effect === 'read'
    ? tool
    : {
        ...tool,
        async run(input, mongo, context, progress) {
          await mongo.wake(context.signal);
          return await tool.run(input, mongo, context, progress);
        },
      },
);
