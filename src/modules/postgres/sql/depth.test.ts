import { describe, expect, it } from 'vitest';
import { isTooDeep } from './depth.ts';
import { LONGEST_SQL, parseSql } from './parse.ts';

const filled = (begin: string, part: string, end = '', close = '') => {
  const times = Math.floor((LONGEST_SQL - begin.length - end.length) / (part.length + close.length));
  return `${begin}${part.repeat(times)}${end}${close.repeat(times)}`;
};

describe('deep SQL', () => {
  const deep = [
    filled('SELECT 1', '+1'),
    filled('SELECT ', '- ', '1'),
    filled('SELECT ', 'NOT ', 'true'),
    filled('SELECT 1', '::a'),
    filled(`SELECT ''`, `||''`),
    filled('SELECT ', '(', '1', ')'),
    filled('SELECT ', '(SELECT ', '1', ')'),
    filled('SELECT ', 'array[', '1', ']'),
    filled('SELECT ', 'f(', '1', ')'),
    filled(`SELECT E'\\''`, '+1', `+'`),
    filled('SELECT a$b$', '+1', ' AS a$b$'),
    filled(`SELECT /* ' */ 1`, '+1', ` /* ' */`),
    filled('SELECT a', ' at local'),
    filled('SELECT ', 'CASE WHEN a THEN ', '1', ' END'),
  ];

  it('is refused before it can break the parser', async () => {
    for (let round = 0; round < 5; round++)
      for (const sql of deep) await expect(parseSql(sql), sql.slice(0, 40)).rejects.toThrow('nested too deeply');
    await expect(parseSql('SELECT 1')).resolves.toMatchObject({ kind: 'SelectStmt' });
  });

  it('is not what only looks long', () => {
    expect(isTooDeep(filled('INSERT INTO a VALUES (1, 2)', ',(1, 2)'))).toBe(false);
    expect(isTooDeep(filled('SELECT * FROM a WHERE b IN (1', ',1', ')'))).toBe(false);
    expect(isTooDeep(`SELECT '${'+1'.repeat(20_000)}'`)).toBe(false);
    expect(isTooDeep(`SELECT $x$${'(('.repeat(20_000)}$x$`)).toBe(false);
    expect(isTooDeep(`SELECT 1 -- ${'('.repeat(40_000)}`)).toBe(false);
  });

  it('leaves what the parser can take', async () => {
    for (const sql of [
      filled('SELECT 1', ' UNION SELECT 1,1'),
      filled('TABLE a', ' UNION SELECT,'.replace(',', ' 1,1')),
    ])
      await expect(
        parseSql(sql).then(
          () => 'parsed',
          (error: Error) => error.message,
        ),
      ).resolves.toMatch(/parsed|nested too deeply/);
    await expect(parseSql('SELECT 1')).resolves.toMatchObject({ kind: 'SelectStmt' });
  });
});
