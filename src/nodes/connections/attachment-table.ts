import type { DatabaseSync } from 'node:sqlite';
import type { Catalogue, NodeSummary } from '../catalogue.ts';
import type { NodeDescription } from '../description.ts';
import { type Attachment, attachmentsOf } from './attachments.ts';

/** Stores at build time which node gives and takes which kind: later, that would take hundreds of evaluations. */
export function fillAttachments(
  database: DatabaseSync,
  nodes: readonly { readonly summary: NodeSummary; readonly latest: NodeDescription }[],
): void {
  database.exec('CREATE TABLE attachments (node TEXT PRIMARY KEY, list TEXT NOT NULL) WITHOUT ROWID');
  const row = database.prepare('INSERT INTO attachments (node, list) VALUES (?, ?)');
  for (const { summary, latest } of nodes) {
    if (summary.hidden || summary.deprecated) continue;
    const list = attachmentsOf(latest, summary.latest);
    if (list.length > 0) row.run(summary.name, JSON.stringify(list));
  }
}

export interface Attachable extends Attachment {
  readonly node: NodeSummary;
}

const read = new WeakMap<Catalogue, ReadonlyMap<string, readonly Attachable[]>>();

/** Every node that gives or takes this kind. */
export function attachables(catalogue: Catalogue, end: Attachment['end'], kind: string): readonly Attachable[] {
  let all = read.get(catalogue);
  if (!all) read.set(catalogue, (all = readAll(catalogue)));
  return all.get(`${end} ${kind}`) ?? [];
}

function readAll(catalogue: Catalogue): ReadonlyMap<string, readonly Attachable[]> {
  const rows = catalogue.database.prepare('SELECT node, list FROM attachments').all() as {
    node: string;
    list: string;
  }[];
  const all = rows.flatMap(({ node: name, list }) => {
    const node = catalogue.node(name);
    return node ? (JSON.parse(list) as Attachment[]).map((one): Attachable => ({ ...one, node })) : [];
  });
  return Map.groupBy(all, ({ end, port }) => `${end} ${port.type}`);
}
