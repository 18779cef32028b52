import { AppError } from '../../kernel/errors.ts';
import { holdsScope, type Principal } from '../../kernel/principal.ts';
import type { Tables } from '../../store/store.ts';

export type Kind = 'blueprint' | 'recipe';

export interface StoredText {
  readonly name: string;
  readonly kind: Kind;
  readonly text: string;
  readonly savedBy: string;
  readonly savedAt: number;
}

interface Row {
  readonly name: string;
  readonly kind: Kind;
  readonly saved_by: string;
  readonly saved_at: number | string;
}

const MOST = 1000;
const MOST_CHARACTERS = 32 * 1024 * 1024;
/** Nobody takes the room of all others. */
const SHARE = 4;
/** From how many on one query for all texts is cheaper than one for each. */
const MANY = 20;

/** The definitions in the table blueprint_definitions. Other replicas write it, too, so it is read each time. */
export function storedTexts(tables: Tables, now = Date.now) {
  /** Texts are large and rarely change: only those with a new time are read. */
  let known: ReadonlyMap<string, StoredText> = new Map();

  async function list(): Promise<readonly StoredText[]> {
    const rows = await tables.rows<Row>(
      'SELECT name, kind, saved_by, saved_at FROM blueprint_definitions ORDER BY name',
    );
    const isKnown = ({ name, saved_at }: Row) => known.get(name)?.savedAt === Number(saved_at);
    const fresh = rows.filter((row) => !isKnown(row));
    const read =
      fresh.length > MANY
        ? await tables.rows<Row & { text: string }>('SELECT * FROM blueprint_definitions')
        : (await Promise.all(fresh.map(({ name }) => rowOf(name)))).flat();
    const texts = new Map(read.map((row) => [row.name, fromRow(row)]));
    const all = rows.flatMap(({ name }) => texts.get(name) ?? known.get(name) ?? []);
    known = new Map(all.map((one) => [one.name, one]));
    return all;
  }

  const rowOf = (name: string) =>
    tables.rows<Row & { text: string }>('SELECT * FROM blueprint_definitions WHERE name = ?', name);

  return {
    list,
    async find(name: string): Promise<StoredText | undefined> {
      const [row] = await rowOf(name);
      return row && fromRow(row);
    },
    /** `isNew`: refuses to replace one. */
    async save(name: string, kind: Kind, text: string, by: Principal, isNew = false): Promise<void> {
      const [before] = await rowOf(name);
      if (before) refuseOthers(name, before.saved_by, by);
      if (before && before.kind !== kind)
        throw new AppError(
          'conflict',
          `${name} is the name of a ${before.kind}. Choose another name, or delete it first.`,
        );
      const sizes = await tables.rows<Size & { saved_by: string }>(
        'SELECT saved_by, COUNT(*) AS count, SUM(LENGTH(text)) AS size FROM blueprint_definitions WHERE name <> ? GROUP BY saved_by',
        name,
      );
      const own = sizes.filter(({ saved_by }) => saved_by === by.id);
      if (!before || text.length > before.text.length) {
        const added = { name, count: before ? 0 : 1, size: text.length };
        checkRoom(sizes, added, 1, 'the store keeps');
        if (!isAdmin(by)) checkRoom(own, added, SHARE, 'of each caller the store keeps');
      }
      // The time always moves on, because others notice the change by it.
      const update = `UPDATE SET text = excluded.text, saved_by = excluded.saved_by,
           saved_at = CASE WHEN excluded.saved_at > blueprint_definitions.saved_at THEN excluded.saved_at
             ELSE blueprint_definitions.saved_at + 1 END WHERE blueprint_definitions.kind = excluded.kind
             ${isAdmin(by) ? '' : 'AND blueprint_definitions.saved_by = excluded.saved_by'}`;
      const written = await tables.change(
        `INSERT INTO blueprint_definitions (name, kind, text, saved_by, saved_at) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (name) DO ${isNew ? 'NOTHING' : update}`,
        name,
        kind,
        text,
        by.id,
        now(),
      );
      if (written === 0)
        throw new AppError('conflict', `Somebody else has just saved ${name}. Choose another name, or replace it.`);
    },
    async delete(name: string, by: Principal): Promise<boolean> {
      const [before] = await rowOf(name);
      if (!before) return false;
      refuseOthers(name, before.saved_by, by);
      // Somebody else may have saved it since.
      const sql = 'DELETE FROM blueprint_definitions WHERE name = ? AND saved_by = ?';
      return (await tables.change(sql, name, before.saved_by)) > 0;
    },
  };
}

const isAdmin = (by: Principal): boolean => holdsScope(by, 'admin');

/** What somebody saved is run with the rights of others, who trust its author: only the author and admins change it. */
export function refuseOthers(name: string, savedBy: string, by: Principal): void {
  if (savedBy === by.id || isAdmin(by)) return;
  throw new AppError(
    'forbidden',
    `${name} was saved by ${savedBy}. Only they or an admin may replace or delete it. Choose another name.`,
  );
}

interface Size {
  readonly count: number | string;
  readonly size: number | string;
}

function checkRoom(
  sizes: readonly Size[],
  added: { readonly name: string; readonly count: number; readonly size: number },
  share: number,
  keeps: string,
): void {
  const count = sizes.reduce((sum, one) => sum + Number(one.count), 0);
  const size = sizes.reduce((sum, one) => sum + Number(one.size), 0);
  if ((added.count === 0 || count < MOST / share) && size + added.size <= MOST_CHARACTERS / share) return;
  const mb = (characters: number) => Math.round(characters / 1024 / 102.4) / 10;
  throw new AppError(
    'conflict',
    `There is no room for ${added.name}: ${keeps} ${MOST / share} blueprints and recipes with ${mb(MOST_CHARACTERS / share)} MB, and there are ${count} with ${mb(size)} MB. Delete some.`,
  );
}

const fromRow = ({ name, kind, text, saved_by: savedBy, saved_at }: Row & { readonly text: string }): StoredText => ({
  name,
  kind,
  text,
  savedBy,
  savedAt: Number(saved_at),
});
