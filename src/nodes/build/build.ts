import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { deflateRawSync } from 'node:zlib';
import { AppError } from '../../kernel/errors.ts';
import { createPrivately } from '../../store/private-file.ts';
import type { Origin } from '../catalogue.ts';
import { fillAttachments } from '../connections/attachment-table.ts';
import { fillCredentialUse } from '../credentials/use-table.ts';
import { fillEssentials } from '../details/essentials.ts';
import { schema } from '../catalogues/layout.ts';
import { fillSearch } from '../search/index-tables.ts';
import { prepare } from './prepare.ts';
import type { RawTypes } from './raw.ts';
import { type NodeVersions, summarise } from './summaries.ts';

export interface BuildInput extends RawTypes {
  readonly from: Origin['from'];
  readonly n8n: string;
  /** Identifies the input, because the nodes may change without a new n8n version: see `Origin`. */
  readonly fingerprint?: string;
}

/** Reports how many nodes are written, or prepared for get_node_details. */
export type BuildProgress = (done: number, of: number, step: 'writing' | 'preparing') => void;

/** Writes a catalogue atomically: on failure the previous file stays. */
export function buildCatalogue(input: BuildInput, file: string, progress: BuildProgress = () => {}): Origin {
  const prepared = prepare(input, input.from);
  if (prepared.nodes.length === 0) {
    throw new AppError(
      'unavailable',
      `n8n ${input.n8n} has no usable node descriptions, so there is nothing to build a catalogue from.`,
    );
  }
  const origin: Origin = {
    from: input.from,
    n8n: input.n8n,
    builtAt: new Date().toISOString(),
    broken: prepared.broken,
    ...(input.fingerprint !== undefined && { fingerprint: input.fingerprint }),
  };
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}.tmp`;
  try {
    const nodes = summarise(prepared.nodes);
    createPrivately(draft);
    using database = new DatabaseSync(draft);
    // No journal or sync needed: the draft is renamed only when complete, and a broken one is deleted.
    database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA page_size = 8192; ${schema}; BEGIN`);
    writeNodes(database, nodes, progress);
    const credential = database.prepare('INSERT OR REPLACE INTO credentials (name, title, body) VALUES (?, ?, ?)');
    for (const type of prepared.credentials) credential.run(type.name, type.displayName, packed(type));
    fillAttachments(database, nodes);
    fillCredentialUse(database, nodes, prepared.credentials);
    fillSearch(
      database,
      nodes.map(({ summary, latest: description }) => ({ summary, description })),
    );
    database.prepare('INSERT INTO meta (key, value) VALUES (?, ?)').run('origin', JSON.stringify(origin));
    database.exec('COMMIT');
    database.close();
    fillEssentials(draft, (done, of) => progress(done, of, 'preparing'));
    renameSync(draft, file);
    return origin;
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeNodes(database: DatabaseSync, nodes: readonly NodeVersions[], progress: BuildProgress): void {
  const body = database.prepare('INSERT INTO descriptions (body) VALUES (?)');
  const node = database.prepare('INSERT INTO nodes (name, summary, descriptions) VALUES (?, ?, ?)');
  for (const [done, { summary, descriptions }] of nodes.entries()) {
    const places = descriptions.map((one) => [Number(body.run(packed(one)).lastInsertRowid), one.version]);
    node.run(summary.name, JSON.stringify(summary), JSON.stringify(places));
    if (done % 50 === 0) progress(done, nodes.length, 'writing');
  }
  progress(nodes.length, nodes.length, 'writing');
}

const packed = (value: unknown): Buffer => deflateRawSync(JSON.stringify(value));
