import { z } from 'zod';
import { part } from '../host/part.ts';

// Refuse stores that do not exist yet: otherwise a user who names a database would learn only when the machine is replaced
// that all data was in a local file.

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

/** Where everything is stored. The host opens it before any part. */
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
