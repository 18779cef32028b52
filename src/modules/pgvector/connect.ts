import type { TextModel } from '../../embedder/text-model.ts';
import { type Allowed, allowed } from '../allowed.ts';
import type { Around } from '../module.ts';
import { connectPostgres, type Postgres } from '../postgres/connection.ts';
import type { PgvectorSettings } from './settings.ts';

/** What the tools use. */
export interface Pgvector extends Pick<Postgres, 'read' | 'write' | 'alone' | 'isLost'>, AsyncDisposable {
  /** Where the collections are. */
  readonly schema: string;
  readonly collections: Allowed;
  /** Turns texts into vectors. */
  readonly model: TextModel;
  /** How long a call may take. */
  readonly timeoutMs: number;
}

export async function connectPgvector(settings: PgvectorSettings, around: Around): Promise<Pgvector> {
  const { url, schema, collections, embedder } = settings;
  const postgres = await connectPostgres({ url, schemas: [schema] }, around);
  postgres.schemas.need(schema);
  return {
    read: postgres.read,
    write: postgres.write,
    alone: postgres.alone,
    get isLost() {
      return postgres.isLost;
    },
    schema,
    collections: allowed(collections, 'collection', `modules.${around.name}.collections`),
    // A check of the connection has no model, and needs none.
    get model() {
      return around.model(embedder);
    },
    timeoutMs: around.timeoutMs,
    [Symbol.asyncDispose]: () => postgres[Symbol.asyncDispose](),
  };
}
