import { describe, expect, it } from 'vitest';
import { deletionIn, requireReading } from './allowed.ts';

describe('requireReading', () => {
  it.each([
    'MATCH (n) RETURN n',
    '  // all\n OPTIONAL MATCH (n:`LOAD`) RETURN n',
    'CALL db.labels()',
    "CALL db.index.fulltext.queryNodes('names', 'x') YIELD node RETURN node",
    'CALL { MATCH (n) RETURN count(n) AS c } RETURN c',
    'SHOW INDEXES',
    "RETURN apoc.text.join(['a'], ','), date.truncate('day', date())",
    "MATCH (n {load: 'csv'}) RETURN n.load",
  ])('lets %s through', (cypher) => {
    expect(() => requireReading(cypher)).not.toThrow();
  });

  it.each([
    ['CREATE (n)', 'begins with CREATE'],
    ['DROP CONSTRAINT x', 'begins with DROP'],
    ['TERMINATE TRANSACTIONS "1"', 'begins with TERMINATE'],
    ['SHOW TRANSACTIONS YIELD transactionId AS id TERMINATE TRANSACTIONS id', 'TERMINATE'],
    ["LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line", 'begins with LOAD'],
    ["WITH 1 AS x LOAD CSV FROM 'http://x' AS line RETURN line", 'LOAD CSV'],
    ["CALL apoc.load.json('http://x')", 'apoc.load.json'],
    ["CALL `apoc`.`export`.csv.all('x', {})", 'apoc.export.csv.all'],
    ["RETURN genai.vector.encode('x', 'OpenAI', {})", 'genai.vector.encode'],
    ["RETURN apoc.load.secret('x')", 'apoc.load.secret'],
    ['CALL dbms.killConnection("x")', 'dbms.killConnection'],
    [' /* nothing */ ', 'empty'],
  ])('refuses %s', (cypher, why) => {
    expect(() => requireReading(cypher)).toThrow(why);
  });
});

describe('deletionIn', () => {
  it('finds what deletes, and what cannot be foreseen', () => {
    expect(deletionIn('CREATE (n {text: "DELETE"})')).toEqual({ deletes: false, unforeseeable: [] });
    expect(deletionIn('MATCH (n) REMOVE n.x').deletes).toBe(true);
    expect(deletionIn('DROP INDEX x').deletes).toBe(true);
    expect(deletionIn('CALL apoc.nodes.delete([], 1) YIELD value RETURN value').unforeseeable).toEqual([
      'apoc.nodes.delete',
    ]);
  });
});
