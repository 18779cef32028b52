import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { Client } from 'pg';
import { describe, expect, test } from 'vitest';
import { termsOf } from '../../../src/kernel/terms.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';

/** A term of every letter, digit and mark of Unicode, and what looks like numbers, hosts and exponents. */
function everyTerm(): string[] {
  const terms = new Set<string>();
  for (let code = 0; code < 0x11_00_00; code++) {
    const letter = String.fromCodePoint(code);
    if (!/[\p{L}\p{N}\p{M}\p{Extended_Pictographic}]/u.test(letter)) continue;
    for (const term of termsOf(`q${letter}q ${letter} ${letter}1 7${letter}`)) terms.add(term);
  }
  const alike = fc.string({
    unit: fc.constantFrom('1', '0', 'e', 'd', 'x', 'a', 'é', '中'),
    minLength: 1,
    maxLength: 9,
  });
  for (const text of fc.sample(alike, { numRuns: 5000, seed: 1 })) for (const term of termsOf(text)) terms.add(term);
  return [...terms];
}

const terms = everyTerm();

test('every term is one token of FTS5', () => {
  const database = new DatabaseSync(':memory:');
  database.exec(`CREATE VIRTUAL TABLE texts USING fts5(words, tokenize = 'unicode61');
    CREATE VIRTUAL TABLE tokens USING fts5vocab(texts, 'instance'); BEGIN`);
  const insert = database.prepare('INSERT INTO texts (words) VALUES (?)');
  for (const term of terms) insert.run(term);
  const counts = new Map<number, number>();
  for (const { doc } of database.prepare('SELECT doc FROM tokens').iterate()) {
    counts.set(Number(doc), (counts.get(Number(doc)) ?? 0) + 1);
  }
  expect(terms.filter((_, at) => counts.get(at + 1) !== 1)).toEqual([]);
});

describe.skipIf(postgresIsMissing)('PostgreSQL', () => {
  test.each(['C', 'C.UTF-8'])('every term is one lexeme with the locale %s', async (locale) => {
    await using server = await createDatabase();
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    const name = `${server.database}_locale`;
    await admin.query(
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8' LC_COLLATE '${locale}' LC_CTYPE '${locale}'`,
    );
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    const client = new Client({ connectionString: url.href });
    await client.connect();
    try {
      const { rows } = await client.query(
        `SELECT term FROM unnest($1::text[]) term WHERE length(to_tsvector('simple', term)) <> 1
         OR NOT to_tsvector('simple', term || ' ' || term) @@ to_tsquery('simple', term)`,
        [terms],
      );
      expect(rows).toEqual([]);
    } finally {
      await client.end();
      await admin.query(`DROP DATABASE ${name}`);
      await admin.end();
    }
  });
});
