import type { TablesApart } from '../../store/store.ts';
import type { Hit } from '../engine.ts';
import type { Dialect } from './dialect.ts';
import type { Condition } from './wanted.ts';

type ByWords = (
  terms: readonly string[],
  condition: Condition,
  spaces: readonly number[],
  limit: number,
) => Promise<Hit[]>;

/** Finds passages with one of the terms, ranked by BM25. */
export function wordsIn(tables: TablesApart, dialect: Dialect): ByWords {
  const search = tables.dialect === 'sqlite' ? inFts5(tables) : inPostgres(tables, dialect);
  return async (terms, ...rest) => {
    // Anything else would be read as an operator, or split.
    const plain = terms.filter((term) => /^[\p{L}\p{N}]+$/u.test(term));
    return plain.length === 0 ? [] : search(plain, ...rest);
  };
}

/** In the index, the space of a passage is a term after this character. */
const SPACE = '\uE000';

/** Questions have fewer terms. A text that is compared with others has many, and common ones match most passages. */
const FEW = 8;
/** So many passages are ranked in about 40 ms. */
const MOST_MATCHES = 40_000;

/** Without the commonest terms, if together they match too many passages. The rarest stays in any case. */
async function rarest(tables: TablesApart, terms: readonly string[]): Promise<readonly string[]> {
  if (terms.length <= FEW) return terms;
  const counted = await tables.rows<{ term: string; count: number }>(
    `SELECT e.value AS term, (SELECT count(*) FROM (
       SELECT 1 FROM memory_index WHERE memory_index MATCH '"' || e.value || '"' LIMIT ${MOST_MATCHES})) AS count
     FROM json_each(?) AS e ORDER BY count`,
    JSON.stringify(terms),
  );
  let matches = 0;
  return counted
    .filter(({ count }) => {
      matches += count;
      return matches <= MOST_MATCHES;
    })
    .map(({ term }) => term);
}

function inFts5(tables: TablesApart): ByWords {
  return async (given, { sql, values }, spaces, limit) => {
    const terms = await rarest(tables, given);
    const any = (of: readonly string[]) => of.map((term) => `"${term}"`).join(' OR ');
    const [known] = await tables.rows<{ count: number }>('SELECT count(*) AS count FROM memory_spaces');
    // A term that every passage has excludes none, and takes a quarter of the time.
    const here = known?.count === spaces.length ? '' : `(${any(spaces.map((space) => `${SPACE}${space}`))}) AND `;
    return tables.rows(
      `SELECT m.id, p.at AS passage, coalesce(p.text, m.text) AS text, -f.rank AS score
       FROM memory_index f JOIN memory_passages p ON p.number = f.rowid JOIN memories m ON m.number = p.memory
       WHERE memory_index MATCH ? AND ${sql} ORDER BY f.rank LIMIT ?`,
      `${here}(${any(terms)})`,
      ...values,
      limit,
    );
  };
}

/** PostgreSQL does not know how rare a term is, so the query counts. */
function inPostgres(tables: TablesApart, { items, isNumber }: Dialect): ByWords {
  return (terms, { sql, values }, spaces, limit) => {
    const where = JSON.stringify(spaces);
    return tables.rows(
      `WITH here AS MATERIALIZED (SELECT count(*) AS n FROM memory_passages WHERE space ${isNumber}),
       asked AS MATERIALIZED (SELECT plainto_tsquery('simple', e.value) AS q FROM ${items}),
       weighed AS MATERIALIZED (
         SELECT q, ln(1 + (here.n - found.n + 0.5) / (found.n + 0.5)) AS weight FROM asked CROSS JOIN here
         CROSS JOIN LATERAL (
           SELECT count(*) AS n FROM memory_passages WHERE terms @@ q AND space ${isNumber}
         ) found WHERE found.n > 0
       ),
       scored AS (
         SELECT p.number, sum(weight * (1 + ts_rank(p.terms, q)))::float8 AS score
         FROM weighed JOIN memory_passages p ON p.terms @@ q AND p.space ${isNumber} GROUP BY p.number
       )
       SELECT m.id, p.at AS passage, coalesce(p.text, m.text) AS text, scored.score
       FROM scored JOIN memory_passages p ON p.number = scored.number JOIN memories m ON m.number = p.memory
       WHERE ${sql} ORDER BY scored.score DESC, p.number LIMIT ?`,
      where,
      JSON.stringify(terms),
      where,
      where,
      ...values,
      limit,
    );
  };
}
