import { REDIS_PREFIX, SCHEMA } from '../store/own-names.ts';
import type { Own } from './module.ts';

/** What belongs to Sluice itself, and is out of reach for every tool. */
export const ownOf = ({ home }: { readonly home: string }): Own => ({
  home,
  schema: SCHEMA,
  redisPrefix: REDIS_PREFIX,
});
