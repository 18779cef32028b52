import { z } from 'zod';

/**
 * Other stores come later. Until then they are refused: whoever names a database must not find out on the day the
 * machine is replaced that everything lay in a file beside it.
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
