import { z } from 'zod';
import { modelKey } from '../../../embedder/text-model.ts';
import { AppError } from '../../../kernel/errors.ts';
import { distanceInput } from '../distance.ts';
import { extensionOf } from '../extension.ts';
import { commentOf } from '../remembered.ts';
import { quoted } from '../sql.ts';
import { pgvectorTool } from '../tool.ts';

const MOST = { vector: 16_000, halfvec: 16_000 };

export const createCollection = pgvectorTool({
  name: 'pgvector_create_collection',
  title: 'Create collection',
  description:
    'Creates a table for texts with their vectors and metadata. n8n’s PGVector node can use it, too. Leave out dimensions to let Sluice make the vectors.',
  phrases:
    'make a vector table; new collection for embeddings; set up a knowledge base in postgres; create a vector store',
  effect: 'create',
  input: z.strictObject({
    name: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'takes letters, digits and _')
      .max(48)
      .describe('Name of the table'),
    dimensions: z
      .int()
      .min(1)
      .max(16_000)
      .optional()
      .describe('For vectors that you make; default those of Sluice’s model'),
    distance: distanceInput.default('cosine').describe('How vectors are compared'),
    type: z.enum(['vector', 'halfvec']).default('vector').describe('halfvec takes half the space'),
  }),
  output: z.object({
    name: z.string(),
    dimensions: z.int(),
    distance: z.string(),
    model: z.string().optional().describe('The model that turns texts into vectors here'),
  }),
  async run({ name, dimensions: wanted, distance, type }, { write, schema, collections, model }, { signal }) {
    collections.need(name);
    const ours =
      wanted === undefined ? await model.identify(signal) : await model.identify(signal).catch(() => undefined);
    const dimensions = wanted ?? ours?.dimensions ?? 0;
    if (dimensions > MOST[type]) throw new AppError('invalid_input', `dimensions: at most ${MOST[type]}.`);
    const key = ours?.dimensions === dimensions ? modelKey(ours) : undefined;
    await write(
      async (run) => {
        const extension = await extensionOf(run);
        if (type === 'halfvec' && !extension.hasHalf)
          throw new AppError(
            'unsupported',
            `pgvector ${extension.version} has no halfvec. Update it to 0.7, or use vector.`,
          );
        const { rows } = await run(
          `SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relname = $2`,
          [schema, name],
        );
        if (rows.length > 0)
          throw new AppError('conflict', `There is a table or index ${name} already. Choose another name.`);
        const table = `${quoted(schema)}.${quoted(name)}`;
        await run(
          `CREATE TABLE ${table} (id text PRIMARY KEY DEFAULT gen_random_uuid()::text, text text,
             metadata jsonb NOT NULL DEFAULT '{}', embedding ${extension.named(type)}(${dimensions}) NOT NULL)`,
        );
        const remembered = commentOf({ ...(key !== undefined && { model: key }), distance });
        await run(`COMMENT ON COLUMN ${table}.embedding IS ${remembered}`);
      },
      { signal },
    );
    return { name, dimensions, distance, ...(key !== undefined && { model: key }) };
  },
});
