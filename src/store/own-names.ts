/** Every table is in a schema of its own in PostgreSQL, so that a backup can name it. */
export const SCHEMA = 'sluice';

/** The engine of blueprint runs has its tables beside the store's. */
export const RUNS_SCHEMA = 'sluice_runs';

/** What tells one PostgreSQL server from another, whatever its addresses are. */
export const SERVER_ID = 'SELECT system_identifier::text AS id FROM pg_catalog.pg_control_system()';

/** Every key in Redis begins with it. */
export const REDIS_PREFIX = 'sluice:';
