import { workerData } from 'node:worker_threads';
import type { Statement, TableValue } from '../store.ts';
import { answerWith } from './answering.ts';
import { connect } from './connection.ts';
import { sqliteTables } from './tables.ts';
import { loadVectorFunctions } from './vector-functions.ts';

const { file } = workerData as { file: string };
const db = await connect(file, { allowExtension: true });
await loadVectorFunctions(db);
// A search by meaning reads the bits of every vector, 15 MB of 160,000. With 2 MB, the default, it reads them from the file each time.
db.exec('PRAGMA cache_size = -32768');
const tables = sqliteTables(db);

interface Asked {
  readonly sql: string;
  readonly values: readonly TableValue[];
}

answerWith(file, {
  rows: ({ sql, values }: Asked) => tables.rows(sql, values),
  change: ({ sql, values }: Asked) => tables.change(sql, values),
  batch: (statements: readonly Statement[]) => tables.batch(statements),
});
