import { basename } from 'node:path';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { someOf } from '../../kernel/some-of.ts';
import type { Tables } from '../../store/store.ts';
import { type Finding, findingLine, isError } from '../definition/finding.ts';
import { type ReadDefinition, readDefinition } from '../definition/read.ts';
import type { Definition, Origin } from '../definition/shape.ts';
import { type Folder, openFolder, type Problem, type Text } from './folder.ts';
import { type Kind, type StoredText, storedTexts } from './stored.ts';
import { type VaultFolder, vaultTexts } from './vault-texts.ts';

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

/** All definitions: those of files first, then those of the store, of Vault, and those that come with Sluice. */
export interface Library extends AsyncDisposable {
  /** By name. A name that two files have comes twice, and neither has a definition. */
  all(): Promise<readonly Known[]>;
  find(name: string): Promise<Known | undefined>;
  /** Throws if the text cannot be read, or if a file has its name. */
  save(text: string, by: string, kind: Kind): Promise<Known>;
  /** Deletes it from the store. Returns whether it was there. */
  delete(name: string): Promise<boolean>;
  /** Not called for what another replica saves. */
  onChange(listener: () => void): () => void;
  /** Files that cannot be read, a Vault or store that does not answer. */
  problems(): readonly Problem[];
}

export interface LibraryOptions {
  /** `optional`: it need not exist. */
  readonly folders: readonly { readonly path: string; readonly optional?: boolean }[];
  /** Has the table blueprint_definitions. */
  readonly tables: Tables;
  readonly vault?: VaultFolder;
  /** The folder of those that come with Sluice. */
  readonly shipped?: string;
  now?(): number;
}

export function createLibrary({ folders, tables, vault, shipped, now = Date.now }: LibraryOptions): Library {
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const opened = folders.map(({ path, ...options }) => openFolder(path, options, changed));
  const ours = shipped === undefined ? [] : [openFolder(shipped, {}, changed)];
  const stored = storedTexts(tables, now);
  const vaulted = vault && vaultTexts(vault, changed, now);
  const read = createReading();
  let storeProblem: string | undefined;
  let lastStored: readonly StoredText[] = [];

  const textsOf = async (sources: readonly Pick<Folder, 'texts'>[]) =>
    (await Promise.all(sources.map((source) => source.texts()))).flat();
  const files = async () => fromTexts('file', await textsOf(opened), read);

  async function fromStore(): Promise<readonly Known[]> {
    try {
      lastStored = await stored.list();
      storeProblem = undefined;
    } catch (error) {
      storeProblem = messageOf(error);
    }
    return lastStored.map((one) => fromRow(one, read));
  }

  async function all(): Promise<readonly Known[]> {
    const [inFiles, inStore, inVault, inPackage] = await Promise.all([
      files(),
      fromStore(),
      vaulted ? vaulted.texts() : [],
      textsOf(ours),
    ]);
    const everything = [
      inFiles,
      inStore,
      fromTexts('vault', inVault, read),
      fromTexts('shipped', inPackage, read),
    ].flat();
    const byName = Map.groupBy(everything, ({ name }) => name);
    return [...byName.values()].flatMap(winners).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  return {
    all,
    find: async (name) => (await all()).find((one) => one.name === name),
    async save(text, by, kind) {
      const { definition, findings } = readDefinition(text);
      if (!definition)
        throw new AppError(
          'invalid_input',
          `The ${kind} was not saved: ${findings.filter(isError).map(findingLine).join(' ')}`,
        );
      const { name } = definition;
      const file = (await files()).find((one) => one.name === name)?.file;
      if (file !== undefined)
        throw new AppError(
          'conflict',
          `The ${kind} was not saved: ${name} is defined in ${file}, and files come first. Change the file, or choose another name.`,
        );
      await stored.save(name, kind, text, by);
      changed();
      const saved = (await all()).find((one) => one.name === name);
      if (saved) return saved;
      throw new AppError('conflict', `${name} was deleted again while it was saved.`);
    },
    async delete(name) {
      const wasThere = await stored.delete(name);
      if (wasThere) changed();
      return wasThere;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    problems: () => [
      ...opened.flatMap((folder) => folder.problems()),
      ...(storeProblem === undefined ? [] : [{ where: 'store', message: storeProblem }]),
      ...(vaulted?.problems() ?? []),
      ...ours.flatMap((folder) => folder.problems()),
    ],
    async [Symbol.asyncDispose]() {
      listeners.clear();
      await Promise.all([...opened, ...ours].map((folder) => folder[Symbol.asyncDispose]()));
    },
  };
}

type Reading = (where: string, text: string) => ReadDefinition;

const MOST_READ = 5000;

/** Parses a text once. */
function createReading(): Reading {
  const known = new Map<string, { readonly text: string; readonly read: ReadDefinition }>();
  return (where, text) => {
    const before = known.get(where);
    if (before?.text === text) return before.read;
    if (known.size >= MOST_READ) known.clear();
    const read = readDefinition(text);
    known.set(where, { text, read });
    return read;
  };
}

function fromTexts(origin: Origin, texts: readonly Text[], reading: Reading): Known[] {
  const all = texts.map(({ where, text }) => {
    const read = reading(`${origin} ${where}`, text);
    // A broken one is still shown under a name that people recognise.
    const name =
      read.name ??
      basename(where)
        .replace(/\.(?:ya?ml|json)$/i, '')
        .replace(/^.*#/, '');
    return { where, text, read, name: name.slice(0, 100) };
  });
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
      ...read.place('name'),
      message,
      fix: 'Rename one of them.',
    } as const;
    return { ...about, findings: [clash, ...read.findings] };
  });
}

function fromRow({ name, kind, text, savedBy, savedAt }: StoredText, reading: Reading): Known {
  const { definition, findings } = reading(`store ${name}`, text);
  return { name, origin: 'store', kind, text, findings, savedBy, savedAt, ...(definition && { definition }) };
}

/** Those of the first origin; they come in that order. */
function winners(same: readonly Known[]): readonly Known[] {
  const origin = same[0]?.origin;
  const hidden = same.find((one) => one.origin !== origin)?.origin;
  return same
    .filter((one) => one.origin === origin)
    .map((one) => (hidden === undefined ? one : { ...one, hides: hidden }));
}
