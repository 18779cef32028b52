import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { definitionOf, OBJECT_KINDS, objectsOf } from '../catalog/objects.ts';
import { postgresTool } from '../tool.ts';

const LONGEST = 3000;

export const postgresGetObject = postgresTool({
  name: 'postgres_get_object',
  title: 'Show a definition',
  description:
    'Shows the definition of a function, sequence, type, index, trigger, policy or extension as SQL. Tables and views: postgres_describe_table.',
  phrases:
    'show the code of a function; definition of a trigger; source of a stored procedure; values of an enum; last value of a sequence',
  effect: 'read',
  input: z.strictObject({
    kind: z.enum(OBJECT_KINDS).describe('What it is'),
    name: z.string().min(1).max(200).describe('Its name, with or without the schema'),
    offset: z.int().min(0).max(10_000_000).optional().describe('Where to begin in a long definition, in characters'),
  }),
  output: z.object({
    objects: z.array(z.object({ schema: z.string(), name: z.string(), about: z.string(), definition: z.string() })),
    more: z.string().optional().describe('What is left out, and how to get it'),
  }),
  async run({ kind, name, offset = 0 }, postgres, { signal }) {
    return await postgres.read(async (run) => {
      const found = await objectsOf(run, kind, { exact: name.replace(/"/g, '') });
      const inReach = found.filter(({ schema }) => kind === 'extension' || postgres.schemas.has(schema));
      if (inReach.length === 0) {
        if (found[0]) postgres.schemas.need(found[0].schema);
        throw new AppError('not_found', `There is no ${kind} ${name}. postgres_list_objects shows what is there.`);
      }
      const objects: { schema: string; name: string; about: string; definition: string }[] = [];
      let left = LONGEST;
      for (const { oid, ...one } of inReach) {
        if (left <= 0) break;
        const definition = (await definitionOf(run, kind, oid)).slice(offset);
        objects.push({ ...one, definition: definition.slice(0, left) });
        left -= definition.length + one.about.length + 60;
      }
      const more =
        left < 0
          ? {
              more: `Only ${LONGEST} characters are shown: repeat it with offset: ${offset + LONGEST}, or name the schema.`,
            }
          : {};
      return { objects, ...more };
    }, signal);
  },
});
