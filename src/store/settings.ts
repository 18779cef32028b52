import { z } from 'zod';

/**
 * Keys that later versions know. They are refused rather than passed over: whoever names a database as the store must
 * not find out on the day the machine is replaced that everything lay in a file beside it.
 */

const refuse = (context: z.RefinementCtx, message: string, fix: string) =>
  context.addIssue({ code: 'custom', message, params: { fix } });

export const storeKey = z
  .string()
  .superRefine((given, context) => {
    if (given === 'sqlite') return;
    const fix = 'Leave store out, or write sqlite: everything is kept in one file in the data directory.';
    if (/^postgres(?:ql)?:/.test(given)) refuse(context, 'names a PostgreSQL, which cannot be the store yet', fix);
    else refuse(context, 'is not a store that Sluice knows', fix);
  })
  .default('sqlite');

export const redisKey = z
  .unknown()
  .superRefine((given, context) => {
    if (given !== undefined) refuse(context, 'is not used yet: one Sluice needs no Redis', 'Remove it.');
  })
  .optional();

export const modulesSection = z
  .record(z.string(), z.unknown())
  .superRefine((given, context) => {
    for (const name of Object.keys(given))
      context.addIssue({
        code: 'custom',
        path: [name],
        message: 'is a module, and there are none yet',
        params: { fix: 'Remove it, or add an MCP server for the service under mcpServers.' },
      });
  })
  .default({});
