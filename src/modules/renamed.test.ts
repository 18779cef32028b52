import { expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { namingOf } from './renamed.ts';

const tools = [{ name: 'postgres_query' }, { name: 'postgres_list_tables' }];

test('tools of a second service have its name', () => {
  const naming = namingOf('postgres', 'postgres-staging', tools);
  expect(naming.name('postgres_query')).toBe('postgres-staging_query');
  expect(naming.scope('postgres:read')).toBe('postgres-staging:read');
  expect(namingOf('docker', 'docker-build', []).scope('docker:exec')).toBe('docker:exec');
});

test('texts name the tools and settings of that service, and nothing else is changed', () => {
  const naming = namingOf('postgres', 'postgres-staging', tools);
  const text = 'postgres_list_tables shows them; postgres_read too. See modules.postgres.url, not postgres_data.';
  expect(naming.text(text)).toBe(
    'postgres-staging_list_tables shows them; postgres-staging_read too. See modules.postgres-staging.url, not postgres_data.',
  );
  expect(naming.text('modules.postgres-staging')).toBe('modules.postgres-staging');
  const error = naming.error(new AppError('not_found', 'See postgres_query.', { data: { a: 1 } }));
  expect(error).toMatchObject({ code: 'not_found', message: 'See postgres-staging_query.', data: { a: 1 } });
});

test('the first of a kind keeps its names', () => {
  const naming = namingOf('postgres', 'postgres', tools);
  const error = new AppError('not_found', 'See postgres_query.');
  expect(naming.error(error)).toBe(error);
});
