import { basename } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { someOf } from '../../kernel/some-of.ts';
import type { Finding, Position } from '../definition/finding.ts';
import { type ReadDefinition, readDefinition } from '../definition/read.ts';
import type { Definition, Origin } from '../definition/shape.ts';
import type { Text } from './folder.ts';
import type { Kind, StoredText } from './stored.ts';

/** A definition, and where it comes from. */
export interface Known {
  readonly name: string;
  readonly origin: Origin;
  readonly kind: Kind;
  readonly text: string;
  /** Only if it can be deployed as far as reading can tell. */
  readonly definition?: Definition;
  /** Of reading only. */
  readonly findings: readonly Finding[];
  /** The file, or the path in Vault. */
  readonly file?: string;
  readonly savedBy?: string;
  /** Milliseconds since 1970. */
  readonly savedAt?: number;
  /** Where another definition of the same name comes from, which is not used. */
  readonly hides?: Origin;
}

/** Of a text, without its syntax tree, which is many times larger. */
type Outline = Pick<ReadDefinition, 'definition' | 'name' | 'findings'> & { readonly nameAt: Position | undefined };
type Reading = (where: string, text: string) => Promise<Outline>;

const MOST_READ = 5000;
/** A thousand definitions take seconds: others are served in between. */
const AT_A_TIME_MS = 20;

/** Parses a text once. */
export function createReading(): Reading {
  const known = new Map<string, { readonly text: string; readonly outline: Outline }>();
  let began = 0;
  return async (where, text) => {
    const before = known.get(where);
    if (before?.text === text) return before.outline;
    if (known.size >= MOST_READ) known.clear();
    if (performance.now() - began > AT_A_TIME_MS) {
      await setImmediate();
      began = performance.now();
    }
    const { place, ...read } = readDefinition(text);
    const outline = { ...read, nameAt: place('name') };
    known.set(where, { text, outline });
    return outline;
  };
}

interface Named extends Text {
  readonly name: string;
  readonly read: Outline;
}

export async function fromTexts(origin: Origin, texts: readonly Text[], reading: Reading): Promise<Known[]> {
  const all: Named[] = [];
  for (const { where, text } of texts) {
    const read = await reading(`${origin} ${where}`, text);
    // A broken one is still shown under a name that people recognise.
    const name =
      read.name ??
      basename(where)
        .replace(/\.(?:ya?ml|json)$/i, '')
        .replace(/^.*#/, '');
    all.push({ where, text, read, name: name.slice(0, 100) });
  }
  const byName = Map.groupBy(all, ({ name }) => name);
  return all.map(({ where, text, read, name }): Known => {
    const same = byName.get(name) ?? [];
    const about = { name, origin, kind: 'blueprint', text, file: where } as const;
    if (same.length < 2)
      return { ...about, findings: read.findings, ...(read.definition && { definition: read.definition }) };
    const message = `"${name}" is the name of ${same.length} blueprints: ${someOf(same.map((one) => one.where))}`;
    const clash = {
      severity: 'error',
      path: 'name',
      ...read.nameAt,
      message,
      fix: 'Rename one of them.',
    } as const;
    return { ...about, findings: [clash, ...read.findings] };
  });
}

export async function fromRows(rows: readonly StoredText[], reading: Reading): Promise<Known[]> {
  const all: Known[] = [];
  for (const row of rows) {
    const { definition, findings } = await reading(`store ${row.name}`, row.text);
    all.push({ ...row, origin: 'store', findings, ...(definition && { definition }) });
  }
  return all;
}

/** Those of the first origin; they come in that order. */
export function winners(same: readonly Known[]): readonly Known[] {
  const origin = same[0]?.origin;
  const hidden = same.find((one) => one.origin !== origin)?.origin;
  return same
    .filter((one) => one.origin === origin)
    .map((one) => (hidden === undefined ? one : { ...one, hides: hidden }));
}
