import { z } from 'zod';
import { updateAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { collectionInput, qdrantTool, WAIT } from '../tool.ts';

export const createIndex = qdrantTool({
  name: 'qdrant_create_index',
  title: 'Create payload index',
  description: 'Indexes a field of the payload, so that filters by it are fast and its values can be counted.',
  phrases: 'make filters faster; index a payload field; index required for filter; create payload index',
  effect: 'create',
  input: z.strictObject({
    collection: collectionInput,
    field: z.string().min(1).max(500).describe('a.b for nested ones'),
    type: z.enum(['keyword', 'integer', 'float', 'bool', 'datetime', 'text', 'uuid', 'geo']),
  }),
  output: z.object({ field: z.string(), type: z.string() }),
  async run({ collection: name, field, type }, qdrant, { signal }, progress) {
    const { path } = await openCollection(qdrant, name, signal);
    const body = { field_name: field, field_schema: type };
    await qdrant.ask(updateAnswer, `${path}/index`, { method: 'PUT', query: WAIT, body, signal, progress });
    return { field, type };
  },
});
