import { expect, it } from 'vitest';
import { statementsMissing } from './extensions.ts';

it('says every step that is left, and no other', () => {
  const said = (...given: Parameters<typeof statementsMissing>) => statementsMissing(...given).message;
  expect(said('', false, true)).toContain(
    "1. run ALTER SYSTEM SET shared_preload_libraries = 'pg_stat_statements'; as a superuser. 2. restart PostgreSQL. 3. run CREATE EXTENSION pg_stat_statements; in this database.",
  );
  expect(said('auto_explain, pg_cron', true, true)).toContain("= 'auto_explain', 'pg_cron', 'pg_stat_statements';");
  expect(said('auto_explain', true, true)).not.toContain('CREATE EXTENSION');
  expect(said('pg_stat_statements', false, true)).toContain('on. 1. run CREATE EXTENSION pg_stat_statements;');
  expect(said(null, false, false)).toMatch(/1\. install the package .* 2\. run ALTER SYSTEM .*keep the libraries/);
});
