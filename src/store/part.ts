import { z } from 'zod';
import { part } from '../host/part.ts';

/**
 * Other stores come later. Until then they are refused: whoever names a database must not find out on the day the
 * machine is replaced that everything lay in a file beside it.
 */

const refuse = (context: z.RefinementCtx, message: string, fix: string) =>
  context.addIssue({ code: 'custom', message, params: { fix } });

const storeKey = z
  .string()
  .superRefine((given, context) => {
    if (given === 'sqlite') return;
    const fix = 'Leave store out, or write sqlite: everything is kept in one file in the data directory.';
    if (/^postgres(?:ql)?:/.test(given)) refuse(context, 'names a PostgreSQL, which cannot be the store yet', fix);
    else refuse(context, 'is not a store that Sluice knows', fix);
  })
  .default('sqlite');

const redisKey = z
  .unknown()
  .superRefine((given, context) => {
    if (given !== undefined) refuse(context, 'is not used yet: one Sluice needs no Redis', 'Remove it.');
  })
  .optional();

/** Where everything is kept. The host opens it before any part. */
export const storePart = part({
  settings: { store: storeKey, redis: redisKey },
  environment: (_, { env }) =>
    env.SLUICE_STORE && env.SLUICE_STORE !== 'sqlite'
      ? [
          {
            variable: 'SLUICE_STORE',
            problem: { message: 'names a store that is not there yet', fix: 'Unset it, or set it to sqlite.' },
          },
        ]
      : [],
});
