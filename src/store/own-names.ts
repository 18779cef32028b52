/** Every table is in a schema of its own in PostgreSQL, so that a backup can name it. */
export const SCHEMA = 'sluice';

/** Every key in Redis begins with it. */
export const REDIS_PREFIX = 'sluice:';
