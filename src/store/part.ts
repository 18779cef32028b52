import { part } from '../host/part.ts';
import { redisKey, storeKey } from './settings.ts';

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
