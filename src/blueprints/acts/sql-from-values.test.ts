import { expect, test } from 'vitest';
import type { Json } from '../../kernel/source.ts';
import { refuseSqlFromValues } from './sql-from-values.ts';

const tool = (args: Json) => ({ kind: 'tool' as const, tool: 'postgres_execute', arguments: args });

test('a statement that is written in the blueprint passes', () => {
  expect(() =>
    refuseSqlFromValues(tool({ sql: 'create schema ${ident(inputs.x)}' }), tool({ sql: 'create schema "a"' })),
  ).not.toThrow();
  expect(() => refuseSqlFromValues(tool({ rows: '${inputs.rows}' }), tool({ rows: [{ name: 'sql' }] }))).not.toThrow();
});

test.each([
  [{ statements: '${inputs.list}' }, { statements: [{ sql: 'drop table users' }] }],
  [{ statements: '${inputs.list}' }, { statements: [{ SQL: 'drop table users' }] }],
  [{ statements: '${inputs.list}' }, { statements: [{ sql: ['drop table users'] }] }],
  [{ batch: ['${inputs.one}'] }, { batch: [{ deep: { cypher: 'MATCH (n) DELETE n' } }] }],
])('a statement that comes with a value is refused', (written, filled) => {
  expect(() => refuseSqlFromValues(tool(written), tool(filled))).toThrow('A value brings its own');
});
