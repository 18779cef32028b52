import { z } from 'zod';
import type { Collection } from './collection.ts';
import { quoted } from './sql.ts';

/** Read from a text at most, in characters: more never fits into a reply. */
const MOST_READ = 6000;
const MOST_METADATA = 3000;
const MOST_FIELDS = 12;
const MOST_FIELD = 120;

/** What parts of an item may take in a reply, in bytes, everything written twice. */
const ROOM = { text: 3600, metadata: 1500, fields: 1500, field: 300 };

export const itemOutput = z.object({
  id: z.string().optional(),
  text: z.string().optional(),
  text_length: z.int().optional().describe('Characters of the whole text, if it is cut: pgvector_get_items shows more'),
  metadata: z.record(z.string(), z.unknown()).optional(),
  metadata_cut: z.string().optional().describe('The beginning of metadata that is too long to show'),
  fields: z.record(z.string(), z.string().nullable()).optional().describe('Other columns'),
});

export type Item = z.output<typeof itemOutput>;

export interface ItemRow {
  readonly id?: string;
  readonly text?: string | null;
  readonly text_length?: number | null;
  readonly metadata?: string | null;
  readonly metadata_cut?: string | null;
  readonly fields: readonly (string | null)[];
}

/** The columns of a SELECT that reads items. A value of 50 MB is cut in the server. */
export function itemColumns(collection: Collection, { chars = MOST_READ, offset = 0 } = {}): string {
  const { id, text, metadata } = collection.roles;
  const parts = shownFields(collection).map(({ name }) => `left(${quoted(name)}::text, ${MOST_FIELD + 1})`);
  const json = metadata && `${quoted(metadata.name)}::text`;
  return [
    ...(id ? [`${quoted(id.name)}::text AS id`] : []),
    ...(text
      ? [
          `substr(${quoted(text.name)}::text, ${offset + 1}, ${Math.min(chars, MOST_READ)}) AS text`,
          `length(${quoted(text.name)}::text) AS text_length`,
        ]
      : []),
    ...(json === undefined
      ? []
      : [
          `CASE WHEN length(${json}) <= ${MOST_METADATA} THEN ${json} END AS metadata`,
          `CASE WHEN length(${json}) > ${MOST_METADATA} THEN left(${json}, ${MOST_METADATA}) END AS metadata_cut`,
        ]),
    `ARRAY[${parts.join(', ')}]::text[] AS fields`,
  ].join(', ');
}

/** The columns that `itemColumns` reads, for a subquery that sorts: what is shown is made of the few rows that are left. */
export function readColumns(collection: Collection): string {
  const { id, text, metadata } = collection.roles;
  const names = [id, text, metadata, ...shownFields(collection)].flatMap((column) => column?.name ?? []);
  return [...new Set(names)].map(quoted).join(', ');
}

/** Which part of the table an item is in is said by the name of the collection. */
const shownFields = ({ roles, table }: Collection) =>
  roles.fields
    .filter(({ name, type }) => name !== table.grouping?.column && type !== 'bytea' && type !== 'tsvector')
    .slice(0, MOST_FIELDS);

/** An item as a reply shows it, cut to what fits. */
export function shownItem(row: ItemRow, collection: Collection, offset = 0): Item {
  const text = typeof row.text === 'string' ? fitted(row.text, ROOM.text) : undefined;
  const isCut = text !== undefined && (offset > 0 || text.length < (row.text_length ?? 0));
  const fields = fieldsIn(row, collection);
  return {
    ...(row.id !== undefined && { id: row.id }),
    ...(text !== undefined && { text }),
    ...(isCut && { text_length: row.text_length ?? 0 }),
    ...shownMetadata(row),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  };
}

/** The other columns, until there is no room for more. */
function fieldsIn(row: ItemRow, collection: Collection): [string, string | null][] {
  const all = shownFields(collection).map(({ name }, at): [string, string | null] => [name, cutField(row.fields[at])]);
  let room = ROOM.fields;
  return all.filter(([name, value]) => (room -= cost(name) + cost(value ?? '')) > 0);
}

const cutField = (given: string | null | undefined): string | null =>
  typeof given !== 'string'
    ? null
    : given.length > MOST_FIELD
      ? `${fitted(given, ROOM.field)}…`
      : fitted(given, ROOM.field);

function shownMetadata({ metadata, metadata_cut }: ItemRow): Pick<Item, 'metadata' | 'metadata_cut'> {
  const whole = metadata ?? undefined;
  const start = metadata_cut ?? whole;
  if (start === undefined) return {};
  if (whole !== undefined && cost(whole) <= ROOM.metadata) {
    const parsed: unknown = JSON.parse(whole);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed))
      return { metadata: parsed as Record<string, unknown> };
  }
  return { metadata_cut: fitted(start, ROOM.metadata / 2) };
}

/** Bytes of a text in a reply: once as data, and once inside of text. */
function cost(text: string): number {
  const once = JSON.stringify(text);
  return Buffer.byteLength(once) + Buffer.byteLength(JSON.stringify(once));
}

/** As much of the text as there is room for. */
function fitted(text: string, room: number): string {
  let part = text;
  for (let bytes = cost(part); bytes > room; bytes = cost(part))
    part = part.slice(0, Math.floor((part.length * room) / bytes)).replace(/[\ud800-\udbff]$/, '');
  return part;
}
