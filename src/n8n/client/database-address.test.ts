import { describe, expect, it } from 'vitest';
import { databaseFromEnvironment, n8nDatabase } from './database-address.ts';

describe('the address of an n8n database', () => {
  it.each(['postgres://u:p@h:5432/n8n', 'postgresql://h/n8n?schema=x&tablePrefix=y_&sslmode=require'])(
    'may be %s',
    (given) => {
      expect(n8nDatabase.safeParse(given).success).toBe(true);
    },
  );

  it.each(['mysql://h/n8n', 'n8n', 'postgres://h/n8n?schema=x"; DROP TABLE y', ''])('may not be %j', (given) => {
    expect(n8nDatabase.safeParse(given).success).toBe(false);
  });
});

describe('the DB_ variables', () => {
  it.each([
    [{}, undefined],
    [{ DB_TYPE: 'postgresdb' }, undefined],
    [{ DB_TYPE: 'mysqldb', DB_HOST: 'db' }, undefined],
    [
      { DB_TYPE: 'postgresdb', DB_HOST: 'db', DB_PORT: '1', DB_DATABASE: 'd', DB_USERNAME: 'u', DB_PASSWORD: 'p/@' },
      'postgres://u:p%2F%40@db:1/d',
    ],
    [
      { DB_POSTGRESDB_HOST: 'db', DB_POSTGRESDB_USER: 'u', DB_POSTGRESDB_SCHEMA: 's', DB_TABLE_PREFIX: 'x_' },
      'postgres://u@db:5432/n8n?schema=s&tablePrefix=x_',
    ],
  ])('%j make %s', (env, address) => {
    expect(databaseFromEnvironment(env)).toBe(address);
  });
});
