import { z } from 'zod';
import { OBJECT_KINDS, objectsOf } from '../catalog/objects.ts';
import { pageOf } from '../catalog/pages.ts';
import { postgresTool } from '../tool.ts';

export const postgresListObjects = postgresTool({
  name: 'postgres_list_objects',
  title: 'List functions, types and others',
  description:
    'Lists what is not a table: functions, sequences, types, indexes, triggers, policies or extensions, with a few words about each.',
  phrases:
    'list functions; list stored procedures; which extensions are installed; show triggers; list enums and types; list sequences; list all indexes',
  effect: 'read',
  input: z.strictObject({
    kind: z.enum(OBJECT_KINDS).describe('What to list'),
    schema: z.string().min(1).max(100).optional().describe('Only this schema'),
    query: z.string().min(1).max(100).optional().describe('Only names that contain this text'),
    cursor: z.string().max(20).optional().describe('next_cursor of the answer before'),
  }),
  output: z.object({
    objects: z.array(z.object({ schema: z.string(), name: z.string(), about: z.string() })),
    next_cursor: z.string().optional(),
  }),
  async run({ kind, schema, query, cursor }, postgres, { signal }) {
    if (schema !== undefined) postgres.schemas.need(schema);
    const found = await postgres.read((run) => objectsOf(run, kind, { schema, query }), signal);
    const inReach = found.filter((one) => kind === 'extension' || postgres.schemas.has(one.schema));
    const { items, ...next } = pageOf(
      inReach.map(({ oid: _, ...item }) => item),
      cursor,
    );
    return { objects: items, ...next };
  },
});
