import { AppError } from '../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames } from '../kernel/nearest-names.ts';
import { quoted } from '../kernel/some-of.ts';
import type { Json } from '../kernel/source.ts';
import type { Statement, TablesApart } from '../store/store.ts';
import {
  type Head,
  type Item,
  type ItemKey,
  type Kind,
  MOST_ITEMS,
  MOST_PROJECTS,
  type NewProject,
  type Projects,
} from './project.ts';
import { folded } from './texts.ts';

interface ProjectRow {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly owners: string;
  readonly created_at: string;
  readonly created_by: string;
  readonly changed_at: string;
}

interface ItemRow {
  readonly id: number;
  readonly kind: Kind;
  readonly name: string;
  readonly instance: string;
  readonly source: string;
  readonly note: string;
  readonly check_tool: string;
  readonly check_arguments: string;
  readonly added_at: string;
  readonly added_by: string;
}

const SAME = 'project = ? AND kind = ? AND name = ? AND instance = ? AND source = ?';

/** Projects in the store. Whoever changes one holds its row until the end, so that two changes at once both count. */
export function projectTables({ dialect, rows, change, batch }: TablesApart): Projects {
  // Names and their number are judged over all rows: one writer at a time. SQLite has no other kind.
  const lock: Statement[] =
    dialect === 'sqlite' ? [] : [{ sql: 'LOCK TABLE projects IN SHARE ROW EXCLUSIVE MODE', values: [] }];

  async function find(name: string): Promise<ProjectRow> {
    const [row] = await rows<ProjectRow>('SELECT * FROM projects WHERE folded = ?', folded(name));
    if (row) return row;
    const near = nearestNames(
      name,
      (await rows<{ name: string }>('SELECT name FROM projects')).map((one) => one.name),
    );
    const hint = didYouMean(inQuotes(near), 'project_list_projects shows all.');
    throw new AppError('not_found', `No project is called ${quoted(name)}. ${hint}`);
  }

  const isTaken = async (name: string) =>
    (await rows('SELECT 1 AS taken FROM projects WHERE folded = ?', folded(name))).length > 0;

  return {
    async create({ name, description, owners }, by) {
      const now = new Date().toISOString();
      const written = await batch([
        ...lock,
        {
          sql: `INSERT INTO projects (folded, name, description, owners, created_at, created_by, changed_at)
                SELECT ?, ?, ?, ?, ?, ?, ? WHERE (SELECT count(*) FROM projects) < ${MOST_PROJECTS}
                  AND NOT EXISTS (SELECT 1 FROM projects WHERE folded = ?)`,
          values: [folded(name), name, description, JSON.stringify(owners), now, by, now, folded(name)],
          expect: 1,
        },
      ]);
      if (written) return;
      if (await isTaken(name)) throw nameTaken(name);
      throw new AppError(
        'conflict',
        `There are ${MOST_PROJECTS} projects already. Delete one with project_delete first.`,
      );
    },
    async list() {
      const found = await rows<Omit<ProjectRow, 'owners'> & { items: number }>(
        `SELECT p.name, p.description, p.changed_at,
           (SELECT count(*) FROM project_items i WHERE i.project = p.id) AS items FROM projects p`,
      );
      return found
        .map(
          ({ name, description, changed_at, items }): Head => ({
            name,
            description,
            items,
            changedAt: changed_at,
          }),
        )
        .sort((a, b) => (folded(a.name) < folded(b.name) ? -1 : 1));
    },
    async get(name) {
      const row = await find(name);
      const items = await rows<ItemRow>('SELECT * FROM project_items WHERE project = ? ORDER BY id', row.id);
      return {
        name: row.name,
        description: row.description,
        owners: JSON.parse(row.owners) as string[],
        createdAt: row.created_at,
        createdBy: row.created_by,
        changedAt: row.changed_at,
        items: items.map(itemOf),
      };
    },
    async update(name, given) {
      const { id, name: project } = await find(name);
      const written = await batch([...lock, changed(id, given)]);
      if (written) return { project: given.name ?? project };
      // Its new name is taken, or somebody has deleted it meanwhile.
      await find(name);
      throw nameTaken(given.name ?? name);
    },
    async delete(name) {
      const { id } = await find(name);
      await change('DELETE FROM projects WHERE id = ?', id);
    },
    async add(name, item, by) {
      const { id, name: project } = await find(name);
      const now = new Date().toISOString();
      const key = [id, ...keyOf(item)];
      const rest = [
        item.note ?? '',
        item.check?.tool ?? '',
        item.check ? JSON.stringify(item.check.arguments) : '',
        now,
        by,
      ];
      const written = await batch([
        holding(id, now),
        {
          sql: `UPDATE project_items SET note = ?, check_tool = ?, check_arguments = ?, added_at = ?, added_by = ?
                WHERE ${SAME}`,
          values: [...rest, ...key],
        },
        {
          sql: `INSERT INTO project_items
                  (project, kind, name, instance, source, note, check_tool, check_arguments, added_at, added_by)
                SELECT ${dialect === 'sqlite' ? '?' : '?::bigint'}, ?, ?, ?, ?, ?, ?, ?, ?, ?
                WHERE NOT EXISTS (SELECT 1 FROM project_items WHERE ${SAME})
                  AND (SELECT count(*) FROM project_items WHERE project = ?) < ${MOST_ITEMS}`,
          values: [...key, ...rest, ...key, id],
        },
      ]);
      if (!written) throw gone(name);
      const [, replaced = 0, added = 0] = written;
      if (replaced + added > 0) return { project, replaced: replaced > 0 };
      throw new AppError(
        'conflict',
        `The project has ${MOST_ITEMS} items already. Remove one with project_remove_item first, or split the project.`,
      );
    },
    async remove(name, item) {
      const { id, name: project } = await find(name);
      const written = await batch([
        holding(id, new Date().toISOString()),
        { sql: `DELETE FROM project_items WHERE ${SAME}`, values: [id, ...keyOf(item)] },
      ]);
      if (!written) throw gone(name);
      return { project, removed: written[1] === 1 };
    },
  };
}

/** The first statement of a change of items: others who change the same project wait for the end. */
const holding = (id: number, now: string): Statement => ({
  sql: 'UPDATE projects SET changed_at = ? WHERE id = ?',
  values: [now, id],
  expect: 1,
});

function changed(id: number, { name, description, owners }: Partial<NewProject>): Statement {
  const set: [column: string, value: string][] = [
    ['changed_at', new Date().toISOString()],
    ...(name === undefined
      ? []
      : ([
          ['name', name],
          ['folded', folded(name)],
        ] as [string, string][])),
    ...(description === undefined ? [] : ([['description', description]] as [string, string][])),
    ...(owners === undefined ? [] : ([['owners', JSON.stringify(owners)]] as [string, string][])),
  ];
  const isFree = 'NOT EXISTS (SELECT 1 FROM projects o WHERE o.folded = ? AND o.id <> ?)';
  return {
    sql: `UPDATE projects SET ${set.map(([column]) => `${column} = ?`).join(', ')}
          WHERE id = ?${name === undefined ? '' : ` AND ${isFree}`}`,
    values: [...set.map(([, value]) => value), id, ...(name === undefined ? [] : [folded(name), id])],
    expect: 1,
  };
}

const keyOf = ({ kind, name, instance = '', source = '' }: ItemKey): string[] => [kind, name, instance, source];

const itemOf = (row: ItemRow): Item => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  ...(row.instance !== '' && { instance: row.instance }),
  ...(row.source !== '' && { source: row.source }),
  ...(row.note !== '' && { note: row.note }),
  ...(row.check_tool !== '' && {
    check: { tool: row.check_tool, arguments: JSON.parse(row.check_arguments) as Json },
  }),
  addedAt: row.added_at,
  addedBy: row.added_by,
});

const nameTaken = (name: string): AppError =>
  new AppError('conflict', `A project is called ${quoted(name)} already. Choose another name; case does not count.`);

const gone = (name: string): AppError =>
  new AppError('not_found', `Somebody has just deleted the project ${quoted(name)}. Nothing was changed.`);
