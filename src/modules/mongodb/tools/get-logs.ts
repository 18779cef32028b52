import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shortened } from '../../shown.ts';
import { mongodbTool } from '../tool.ts';

export const getLogs = mongodbTool({
  name: 'mongodb_get_logs',
  title: 'Get server log',
  description:
    "Shows the last lines of the server's log, the newest first, or the warnings of its start. The log quotes queries on every database, so it is refused where databases are limited.",
  phrases: 'mongodb server log; startup warnings of mongo; slow queries in the mongo log; errors in the mongod log',
  effect: 'read',
  input: z.strictObject({
    kind: z
      .enum(['global', 'startupWarnings'])
      .default('global')
      .describe('The whole log, or the warnings of the start'),
    contains: z.string().min(1).max(200).optional().describe('Only lines with this text'),
    limit: z.int().min(1).max(200).default(20).describe('At most this many lines'),
  }),
  output: z.object({ total: z.int(), lines: z.array(z.string()) }),
  async run({ kind, contains, limit }, mongo, { signal }) {
    if (kind === 'global' && mongo.access.isLimited)
      throw new AppError(
        'forbidden',
        'The log quotes queries on all databases, and modules.mongodb.databases in sluice.yaml limits them. kind startupWarnings is allowed.',
      );
    const { log } = await mongo.run(mongo.server(), { getLog: kind }, signal);
    const found = (log as string[]).filter((line) => contains === undefined || line.includes(contains)).toReversed();
    const lines = found.slice(0, limit).map((line) => shortened(line, 800));
    return { total: found.length, lines: lines.slice(0, fittingItems(lines)) };
  },
});
