import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { modelKey } from '../../../src/embedder/text-model.ts';
import { labelsOf } from '../../../src/memory/sql/wanted.ts';
import { packed } from '../../../src/memory/vector.ts';
import { hashModel, openOwnMemory } from '../../support/own-memory.ts';

interface Said {
  ready?: true;
  id?: string;
  text?: string;
  supersedes?: string;
  batch?: string;
  added?: number;
  error?: string;
}

export interface MemoryCrashes {
  kills: number;
  /** Writes that were acknowledged. */
  stored: number;
  updated: number;
  batches: number;
  errors: string[];
  /** What is wrong with the file, in words. */
  wrong: string[];
}

const WRITERS = 2;
const MODELS = ['ash', 'birch'] as const;
const program = fileURLToPath(new URL('../../fixtures/memory-writer.ts', import.meta.url));

/**
 * Two processes write to one file at once and are killed at random moments, round after round, each round with another model
 * than the one before: what the last one has not embedded again is embedded in the next. None acknowledges many more than
 * `writes`.
 */
export async function memoryCrashes({ kills, writes }: { kills: number; writes: number }): Promise<MemoryCrashes> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-memory-crash-'));
  const file = join(folder, 'sluice.db');
  const heard: Said[] = [];
  const wrong: string[] = [];
  try {
    let done = 0;
    for (let round = 0; done < kills; round++) {
      const model = MODELS[round % MODELS.length] as string;
      const writers = Array.from({ length: Math.min(WRITERS, kills - done) }, (_, n) =>
        writer(file, `w${round}n${n}`, model, heard),
      );
      await Promise.all(
        writers.map(async ({ child, acknowledged }, n) => {
          // Sometimes the first of a round dies while it opens the file, or before it has written anything.
          if (n > 0 || round % 5 > 0) await acknowledged(Math.floor(Math.random() * writes));
          await delay(Math.random() * 50);
          if (child.exitCode !== null) wrong.push(`A writer ended by itself with ${child.exitCode}.`);
          const exited = once(child, 'exit');
          child.kill('SIGKILL');
          await exited;
        }),
      );
      done += writers.length;
      wrong.push(...(await faultsOf(file, heard)).map((fault) => `after ${done} kills: ${fault}`));
      if (wrong.length > 0) break;
    }
    wrong.push(...(await embedsTheRest(file)), ...(await faultsOf(file, heard)));
    return {
      kills: done,
      stored: heard.filter(({ id, supersedes }) => id !== undefined && supersedes === undefined).length,
      updated: heard.filter(({ supersedes }) => supersedes !== undefined).length,
      batches: heard.filter(({ batch }) => batch !== undefined).length,
      errors: [...new Set(heard.flatMap(({ error }) => error ?? []))],
      wrong,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function writer(file: string, name: string, model: string, heard: Said[]) {
  const child = spawn(process.execPath, [program, file, name, model], { stdio: ['ignore', 'pipe', 'inherit'] });
  let lines = 0;
  createInterface(child.stdout).on('line', (line) => {
    // The last line may be cut by the kill.
    if (!line.endsWith('}')) return;
    lines++;
    const said = JSON.parse(line) as Said;
    if (!said.ready) heard.push(said);
  });
  return {
    child,
    async acknowledged(count: number): Promise<void> {
      const isShort = () => lines <= count && child.exitCode === null;
      while (isShort()) await delay(5);
    },
  };
}

/** Opens it again, and waits until everything has a vector of one model. */
async function embedsTheRest(file: string): Promise<string[]> {
  const last = hashModel('cedar');
  const key = modelKey(await last.identify());
  await using opened = await openOwnMemory(file, last);
  await expect.poll(() => opened.engine.countToEmbed(key), { timeout: 60_000 }).toBe(0);
  const models = await opened.store.tables.rows<{ model: string }>('SELECT DISTINCT model FROM memory_vectors');
  return models.length === 1 && models[0]?.model === key ? [] : [`Models are mixed: ${JSON.stringify(models)}`];
}

interface Row {
  number: number;
  id: string;
  root: string;
  text: string;
  tags: string;
  metadata: string;
  supersedes: string | null;
  superseded_by: string | null;
  valid_to: number | null;
}

interface Passage {
  number: number;
  memory: number;
  space: number;
  text: string | null;
}

/** Everything that does not agree: in the file itself, and with what was acknowledged. */
async function faultsOf(file: string, heard: readonly Said[]): Promise<string[]> {
  const faults: string[] = [];
  const db = new DatabaseSync(file);
  const all = <T>(sql: string, ...values: (string | number)[]) => db.prepare(sql).all(...values) as T[];
  try {
    const checks = all<{ integrity_check: string }>('PRAGMA integrity_check').map((row) => row.integrity_check);
    if (checks.join() !== 'ok') faults.push(`integrity_check: ${checks.slice(0, 3).join('; ')}`);
    const strays = all<{ table: string }>('PRAGMA foreign_key_check');
    if (strays.length > 0) faults.push(`${strays.length} rows without their parent, of ${strays[0]?.table}`);
    const tables = all<{ name: string }>("SELECT name FROM sqlite_master WHERE name = 'memories'");
    // Killed before its first migration.
    if (tables.length === 0) return faults;
    db.exec("INSERT INTO memory_index (memory_index) VALUES ('integrity-check')");

    const rows = all<Row>('SELECT * FROM memories ORDER BY number');
    const byId = new Map(rows.map((row) => [row.id, row]));
    for (const { id, text, supersedes } of heard) {
      if (id === undefined) continue;
      const row = byId.get(id);
      if (row?.text !== text) faults.push(`acknowledged, but lost: ${id}`);
      if (supersedes !== undefined && byId.get(supersedes)?.superseded_by === null)
        faults.push(`${supersedes} was superseded, but is current`);
    }

    const current = new Map<string, number>();
    for (const row of rows) {
      current.set(row.root, (current.get(row.root) ?? 0) + (row.superseded_by === null ? 1 : 0));
      if (row.superseded_by !== null && byId.get(row.superseded_by)?.supersedes !== row.id)
        faults.push(`${row.id} is superseded by ${row.superseded_by}, which does not say so`);
      if (row.superseded_by !== null && row.valid_to === null) faults.push(`${row.id} has no end`);
    }
    for (const [root, count] of current) if (count !== 1) faults.push(`${root} has ${count} current versions`);

    const imported = new Map<string, number>();
    for (const { metadata } of rows) {
      const { batch } = JSON.parse(metadata) as { batch?: string };
      if (batch !== undefined) imported.set(batch, (imported.get(batch) ?? 0) + 1);
    }
    for (const [batch, count] of imported) if (count !== 20) faults.push(`${count} of 20 are there of ${batch}`);
    for (const { batch, added } of heard)
      if (batch !== undefined && imported.get(batch) !== added) faults.push(`acknowledged, but lost: ${batch}`);

    const labels = Map.groupBy(
      all<{ memory: number; label: string }>('SELECT memory, label FROM memory_labels'),
      ({ memory }) => memory,
    );
    const passages = all<Passage>('SELECT number, memory, space, text FROM memory_passages ORDER BY memory, at');
    const byMemory = Map.groupBy(passages, ({ memory }) => memory);
    for (const row of rows) {
      const has = (labels.get(row.number) ?? []).map(({ label }) => label).toSorted();
      const should = labelsOf({ tags: JSON.parse(row.tags), metadata: JSON.parse(row.metadata) }).toSorted();
      if (has.join('\n') !== should.join('\n')) faults.push(`${row.id} has the labels ${has.join(', ')}`);
      const own = byMemory.get(row.number) ?? [];
      if (own.map(({ text }) => text ?? row.text).join('') !== row.text)
        faults.push(`${row.id} has ${own.length} passages, which are not its text`);
      const [word = ''] = row.text.split(' ');
      const found = new Set(
        all<{ rowid: number }>('SELECT rowid FROM memory_index WHERE memory_index MATCH ?', `"${word}"`).map(
          ({ rowid }) => rowid,
        ),
      );
      const expected = own.filter(({ text }) => (text ?? row.text).includes(word));
      if (expected.length === 0 || !expected.every(({ number }) => found.has(number)))
        faults.push(`${row.id} is not found by ${word}`);
    }
    const [indexed] = all<{ count: number }>('SELECT count(*) AS count FROM memory_index_docsize');
    if (indexed?.count !== passages.length) faults.push(`${indexed?.count} of ${passages.length} passages are indexed`);

    const texts = new Map(rows.map(({ number, text }) => [number, text]));
    const byNumber = new Map(passages.map((passage) => [passage.number, passage]));
    const vectors = all<{ passage: number; space: number; model: string; bits: Uint8Array; bytes: Uint8Array | null }>(
      'SELECT v.*, b.bytes FROM memory_vectors v LEFT JOIN memory_bytes b ON b.passage = v.passage',
    );
    for (const { passage, space, model, bits, bytes } of vectors) {
      const of = byNumber.get(passage);
      const text = of?.text ?? texts.get(of?.memory ?? 0) ?? '';
      const [real] = await hashModel(model.split('@')[0] as string).embed([text]);
      const right = packed(real as Float32Array, model);
      const same =
        bytes !== null &&
        Buffer.compare(bits, right.bits) === 0 &&
        Buffer.compare(bytes, Buffer.from(right.bytes.buffer)) === 0;
      if (!same || space !== of?.space) faults.push(`The vector of passage ${passage} is not the one of ${model}`);
    }
    const [bytes] = all<{ count: number }>('SELECT count(*) AS count FROM memory_bytes');
    if (bytes?.count !== vectors.length) faults.push(`${bytes?.count} vectors have bytes, ${vectors.length} have bits`);
    return faults;
  } finally {
    db.close();
  }
}
