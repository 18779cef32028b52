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
  readonly summary?: Summary;
  /** The whole, if it has a summary. It is many times larger than its text: keep it no longer than it is needed. */
  definition(): Definition | undefined;
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

/** What lists show of a definition. */
export interface Summary {
  readonly description?: string;
  readonly steps: number;
  /** A ? marks those with a default. */
  readonly inputs: readonly string[];
  readonly needs: readonly string[];
  readonly schedule?: string;
}

/** Of a text, without what is many times larger: its syntax tree, and the definition itself. */
interface Outline extends Pick<ReadDefinition, 'name' | 'findings'>, Pick<Known, 'definition' | 'summary'> {
  readonly nameAt: Position | undefined;
}
type Reading = (where: string, text: string) => Promise<Outline>;

const MOST_READ = 5000;
/** Of the texts that are read once only. As many are in memory anyway, with those of the store. */
const MOST_CHARACTERS = 64 * 1024 * 1024;
/** Of the texts whose definitions stay in memory, which takes 60 times as much. */
const MOST_WHOLE = 512 * 1024;
/** A thousand definitions take seconds: others are served in between. */
const AT_A_TIME_MS = 20;

/** Parses a text once for lists, and again for a definition that was not asked for lately. */
export function createReading(): Reading {
  const known = keptFor<Outline>(MOST_CHARACTERS);
  const whole = keptFor<Definition | undefined>(MOST_WHOLE);
  let began = 0;

  function definitionIn(where: string, text: string): Definition | undefined {
    const before = whole.get(where, text);
    return before ? before.value : whole.set(where, text, readDefinition(text).definition);
  }

  return async (where, text) => {
    const before = known.get(where, text);
    if (before) return before.value;
    if (performance.now() - began > AT_A_TIME_MS) {
      await setImmediate();
      began = performance.now();
    }
    const { name, findings, definition, place } = readDefinition(text);
    return known.set(where, text, {
      ...(name !== undefined && { name }),
      findings,
      nameAt: place('name'),
      ...(definition && { summary: summaryOf(definition) }),
      definition: definition ? () => definitionIn(where, text) : nothing,
    });
  };
}

const nothing = (): undefined => undefined;

const summaryOf = ({ description, steps, inputs, needs, schedule }: Definition): Summary => ({
  ...(description !== undefined && { description }),
  steps: steps.length,
  inputs: Object.entries(inputs).map(([input, schema]) => ('default' in schema ? `${input}?` : input)),
  needs: [...needs],
  ...(schedule !== undefined && { schedule }),
});

/** Keeps what was made of texts, the last ones, as long as the texts together are no larger than this. */
function keptFor<T>(most: number) {
  const kept = new Map<string, { readonly text: string; readonly value: T }>();
  let size = 0;

  function drop(where: string): void {
    size -= kept.get(where)?.text.length ?? 0;
    kept.delete(where);
  }

  return {
    get(where: string, text: string): { readonly value: T } | undefined {
      const found = kept.get(where);
      return found?.text === text ? found : undefined;
    },
    set(where: string, text: string, value: T): T {
      drop(where);
      kept.set(where, { text, value });
      size += text.length;
      for (const oldest of kept.keys()) {
        if (size <= most && kept.size <= MOST_READ) break;
        drop(oldest);
      }
      return value;
    },
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
    if (same.length < 2) return { ...about, ...wholeOf(read) };
    const message = `"${name}" is the name of ${same.length} blueprints: ${someOf(same.map((one) => one.where))}`;
    const clash = {
      severity: 'error',
      path: 'name',
      ...read.nameAt,
      message,
      fix: 'Rename one of them.',
    } as const;
    return { ...about, findings: [clash, ...read.findings], definition: nothing };
  });
}

export async function fromRows(rows: readonly StoredText[], reading: Reading): Promise<Known[]> {
  const all: Known[] = [];
  for (const row of rows)
    all.push({ ...row, origin: 'store', ...wholeOf(await reading(`store ${row.name}`, row.text)) });
  return all;
}

const wholeOf = ({ findings, definition, summary }: Outline) => ({ findings, definition, ...(summary && { summary }) });

/** Those of the first origin; they come in that order. */
export function winners(same: readonly Known[]): readonly Known[] {
  const origin = same[0]?.origin;
  const hidden = same.find((one) => one.origin !== origin)?.origin;
  return same
    .filter((one) => one.origin === origin)
    .map((one) => (hidden === undefined ? one : { ...one, hides: hidden }));
}
