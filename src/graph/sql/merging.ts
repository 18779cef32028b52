import type { Merged, Properties } from '../engine.ts';
import { aboutWords } from '../words.ts';
import { OPEN_END, OPEN_START } from './dialect.ts';
import { entitiesById } from './reading.ts';
import type { EntityRow } from './rows.ts';
import { again, findAll, type Found, type GraphTables } from './tables.ts';

/** An answer repeats so many observations of an entity, and counts the others. */
const ANSWER = { asOf: 'any', observations: 1000 } as const;

/** Of two of the same, the one that is valid longer stays; of two that are valid equally long, the older one. */
const covers = (one: string, other: string) =>
  `${one}.id <> ${other}.id AND ${one}.valid_from <= ${other}.valid_from AND ${one}.valid_to >= ${other}.valid_to
   AND (${one}.valid_from < ${other}.valid_from OR ${one}.valid_to > ${other}.valid_to OR ${one}.id < ${other}.id)`;

export async function merge(tables: GraphTables, names: readonly string[], into: string): Promise<Merged> {
  const { rows, dialect } = tables;
  const done = await again(async () => {
    const found = await findAll(tables, [into, ...names]);
    const target = (found.get(into) as Found).id;
    const ids = [...new Set(names.map((name) => (found.get(name) as Found).id))].filter((id) => id !== target);
    const known = await rows<EntityRow>(
      `SELECT * FROM graph_entities WHERE id ${dialect.isId} ORDER BY id`,
      JSON.stringify([target, ...ids]),
    );
    const stays = known.find(({ id }) => id === target);
    const gone = known.filter(({ id }) => id !== target);
    if (!stays || gone.length !== ids.length) return undefined;
    const { properties, dropped } = together(stays, gone);
    const list = JSON.stringify(ids);
    const all = JSON.stringify([target, ...ids]);
    const isGone = (column: string) => `${column} ${dialect.isId}`;
    const moved = (column: string) => `CASE WHEN ${isGone(column)} THEN CAST(? AS bigint) ELSE ${column} END`;
    const written = await tables.write([
      {
        // Undoes the batch if somebody changed one of them since it was read.
        sql: `UPDATE graph_entities SET version = version + 1 WHERE id IN (
                SELECT e.id FROM ${dialect.given({ id: 'bigint', version: 'bigint' })} AS g
                JOIN graph_entities e ON e.id = g.id AND e.version = g.version
              )`,
        values: [JSON.stringify(known.map(({ id, version }) => ({ id, version })))],
        expect: known.length,
      },
      {
        sql: `UPDATE graph_entities SET properties = ?, about_words = ?, valid_from = ?, valid_to = ? WHERE id = ?`,
        values: [
          JSON.stringify(properties),
          aboutWords(stays.type, properties),
          known.map(({ valid_from }) => valid_from).toSorted(byText)[0] ?? OPEN_START,
          known
            .map(({ valid_to }) => valid_to)
            .toSorted(byText)
            .at(-1) ?? OPEN_END,
          target,
        ],
        expect: 1,
      },
      {
        sql: `DELETE FROM graph_observations WHERE id IN (
                SELECT o.id FROM graph_observations o JOIN graph_observations b
                  ON b.digest = o.digest AND ${covers('b', 'o')}
                WHERE o.entity ${dialect.isId} AND b.entity ${dialect.isId}
              )`,
        values: [all, all],
      },
      { sql: `UPDATE graph_observations SET entity = ? WHERE ${isGone('entity')}`, values: [target, list] },
      {
        sql: `DELETE FROM graph_relations WHERE source <> target AND source ${dialect.isId} AND target ${dialect.isId}`,
        values: [all, all],
      },
      {
        sql: `WITH mapped AS MATERIALIZED (
                SELECT id, ${moved('source')} AS source, type, ${moved('target')} AS target, valid_from, valid_to
                FROM graph_relations WHERE source ${dialect.isId} OR target ${dialect.isId}
              )
              DELETE FROM graph_relations WHERE id IN (
                SELECT r.id FROM mapped r JOIN mapped b
                  ON b.source = r.source AND b.type = r.type AND b.target = r.target AND ${covers('b', 'r')}
              )`,
        values: [list, target, list, target, all, all],
      },
      {
        sql: `UPDATE graph_relations SET source = ${moved('source')}, target = ${moved('target')}
              WHERE ${isGone('source')} OR ${isGone('target')}`,
        values: [list, target, list, target, list, list],
      },
      { sql: `DELETE FROM graph_entities WHERE ${isGone('id')}`, values: [list], expect: ids.length },
    ]);
    if (!written) return undefined;
    return {
      target,
      merged: ids.flatMap((id) => gone.find((row) => row.id === id)?.name ?? []),
      moved: { observations: written[3] ?? 0, relations: written[6] ?? 0 },
      dropped,
    };
  });
  const { target, ...rest } = done;
  const [entity] = await entitiesById(tables, [target], ANSWER);
  return { ...rest, entity: entity as Merged['entity'] };
}

const byText = (a: string, b: string) => (a < b ? -1 : Number(a > b));

function together(
  stays: EntityRow,
  gone: readonly EntityRow[],
): { properties: Properties; dropped: Merged['dropped'] } {
  const merged = new Map(Object.entries(JSON.parse(stays.properties) as Properties));
  const dropped: Merged['dropped'][number][] = [];
  for (const row of gone)
    for (const [property, value] of Object.entries(JSON.parse(row.properties) as Properties)) {
      if (!merged.has(property)) merged.set(property, value);
      else if (JSON.stringify(merged.get(property)) !== JSON.stringify(value))
        dropped.push({ entity: row.name, property, value });
    }
  return { properties: Object.fromEntries(merged), dropped };
}
