import type { DatabaseSync } from 'node:sqlite';
import type { NodeSummary } from '../catalogue.ts';
import type { NodeDescription, Property } from '../description.ts';
import { partsOf, wordsOf } from './words.ts';

/** The indexed fields, in column order. */
export const fields = [
  'title',
  'name',
  'aliases',
  'subtype',
  'actions',
  'description',
  'categories',
  'credentials',
] as const;

export type Field = (typeof fields)[number];

export interface Searchable {
  readonly summary: NodeSummary;
  /** The description of the latest version. */
  readonly description: NodeDescription;
}

/**
 * Writes the full-text index while a catalogue is built: which node has which word in which field. Words are stemmed here,
 * so SQLite does not interpret them. Our own phrases (keywords/) are not in it, because a catalogue outlives a release.
 */
export function fillSearch(database: DatabaseSync, nodes: Iterable<Searchable>): void {
  database.exec(`
    CREATE TABLE search_nodes (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE VIRTUAL TABLE search USING fts5 (${fields.join(', ')}, content = '', detail = column, tokenize = unicode61);
    CREATE VIRTUAL TABLE search_words USING fts5vocab ('search', 'instance');
  `);
  const node = database.prepare('INSERT INTO search_nodes (id, name) VALUES (?, ?)');
  const text = database.prepare(
    `INSERT INTO search (rowid, ${fields.join(', ')}) VALUES (?, ${fields.map(() => '?').join(', ')})`,
  );
  let id = 0;
  for (const one of nodes) {
    // A generated variant has the text of its node, and is found through it.
    if (one.summary.toolOf !== undefined) continue;
    id += 1;
    node.run(id, one.summary.name);
    const texts = textsOf(one);
    text.run(id, ...fields.map((field) => [...new Set(wordsOf(texts[field]))].join(' ')));
  }
}

/** The text of a node by field. */
function textsOf({ summary, description }: Searchable): Record<Field, string> {
  const { codex, credentials = [] } = description;
  return {
    title: summary.title,
    name: partsOf(summary.name.slice(summary.name.lastIndexOf('.') + 1)),
    aliases: listed(codex?.alias),
    subtype: summary.subtype,
    actions: [...actionsOf(description)].join('\n'),
    description: summary.description,
    categories: [
      ...(Array.isArray(codex?.categories) ? codex.categories : []),
      ...Object.values(codex?.subcategories ?? {}).flat(),
    ]
      .filter((category) => typeof category === 'string')
      .join('\n'),
    credentials: (Array.isArray(credentials) ? credentials : []).map(({ name }) => partsOf(String(name))).join('\n'),
  };
}

const listed = (words: unknown): string =>
  Array.isArray(words) ? words.filter((word) => typeof word === 'string').join('\n') : '';

/** The resources and operations of a node in n8n's words ("Send a message"). */
function actionsOf(description: NodeDescription): Set<string> {
  const actions = new Set<string>();
  for (const property of description.properties) {
    if (!isChoice(property)) continue;
    for (const option of property.options ?? []) {
      if (!('value' in option)) continue;
      actions.add(option.action ?? option.name);
      if (option.action !== undefined) actions.add(option.name);
    }
  }
  return actions;
}

const chosen = new Set(['resource', 'operation', 'mode', 'event', 'events', 'triggerOn', 'trigger', 'updates']);
const isChoice = ({ name, type }: Property) => chosen.has(name) && (type === 'options' || type === 'multiOptions');
