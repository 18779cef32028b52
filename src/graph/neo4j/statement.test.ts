import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cypherName } from './cypher-name.ts';
import { readStatement } from './statement.ts';

describe('readStatement', () => {
  it('reads keywords in any case', () => {
    expect(readStatement('match (n) Detach delete n').words).toEqual(['MATCH', 'N', 'DETACH', 'DELETE', 'N']);
  });

  it.each([
    "RETURN 'DELETE'",
    'RETURN "it\'s DELETE"',
    String.raw`RETURN 'a\' DELETE'`,
    'RETURN 1 // DELETE',
    'RETURN 1 /* DELETE\n DELETE */',
    'MATCH (`DELETE`) RETURN 1',
    'MATCH (`a``DELETE`) RETURN 1',
    'MATCH (n:DELETE) RETURN 1',
    'MATCH (n) RETURN n.delete',
    'MATCH (n {delete: 1}) RETURN n',
    'RETURN $delete',
  ])('finds no keyword in %s', (cypher) => {
    expect(readStatement(cypher).words).not.toContain('DELETE');
  });

  it.each([
    'MATCH (n) DELETE n',
    'MATCH (n)//\nDELETE n',
    'MATCH (n)/**/DELETE n',
    "MATCH (n {a: 'x'})DELETE n",
    'MATCH (n) WHERE n.x = 1.5 DELETE n',
    'MATCH (n) WHERE n.x > 1.DELETE n',
    String.raw`MATCH (n) \u0044ELETE n`,
    String.raw`RETURN '\u0027 DELETE n //'`,
    'MATCH (n) FOREACH (x IN [n] | DELETE x)',
  ])('finds the keyword in %s', (cypher) => {
    expect(readStatement(cypher).words).toContain('DELETE');
  });

  it('reads procedures, quoted ones too, and no subqueries', () => {
    expect(readStatement('CALL db.labels() YIELD label RETURN label').procedures).toEqual(['db.labels']);
    expect(readStatement('call `apoc` . `load`.json("x")').procedures).toEqual(['apoc.load.json']);
    expect(
      readStatement('MATCH (n) CALL { WITH n RETURN 1 AS x } CALL (n) { RETURN 2 AS y } RETURN x').procedures,
    ).toEqual([]);
  });

  it('reads functions with a namespace', () => {
    expect(readStatement("RETURN genai.vector.encode('x'), size([1]), n.name").functions).toEqual([
      'genai.vector.encode',
    ]);
  });

  it('takes nothing from texts and names for words, whatever they contain', () => {
    const text = fc.string({ unit: 'grapheme' }).filter((one) => !/[\\\0]/.test(one));
    fc.assert(
      fc.property(text, text, text, (single, double, name) => {
        const quoted = `'${single.replaceAll("'", "\\'")}' + "${double.replaceAll('"', '\\"')}"`;
        expect(
          readStatement(`RETURN ${quoted} AS ${cypherName(`${name}.`)} // ${name.replaceAll(/[\n\r]/g, '')}`),
        ).toEqual({
          words: ['RETURN', 'AS'],
          procedures: [],
          functions: [],
        });
      }),
    );
  });
});
