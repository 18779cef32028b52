import { AppError, messageOf } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tables } from '../../store/store.ts';
import { findingLine, isError } from '../definition/finding.ts';
import { readDefinition } from '../definition/read.ts';
import { type Folder, openFolder, type Problem } from './folder.ts';
import { createReading, fromRows, fromTexts, type Known, winners } from './known.ts';
import { type Kind, type StoredText, storedTexts } from './stored.ts';
import { type VaultFolder, vaultTexts } from './vault-texts.ts';

/**
 * All definitions: those of files first, then those of Vault, those that come with Sluice, and those of the store. The store
 * comes last because any key that may save could otherwise put its own text under a name that others trust.
 */
export interface Library extends AsyncDisposable {
  /** By name. A name that two files have comes twice, and neither has a definition. */
  all(): Promise<readonly Known[]>;
  /** Throws if the text cannot be read, if its name is taken elsewhere or by somebody else, or, with `isNew`, at all. */
  save(text: string, by: Principal, kind: Kind, isNew?: boolean): Promise<Known>;
  /** What the store has under this name, even if it is hidden. */
  stored(name: string): Promise<StoredText | undefined>;
  /** Deletes it from the store. Returns whether it was there; throws if somebody else saved it. */
  delete(name: string, by: Principal): Promise<boolean>;
  /** Files that cannot be read, a Vault or store that does not answer. */
  problems(): readonly Problem[];
}

/** What is asked of a library. */
export type Definable = Pick<Library, 'all' | 'save' | 'stored' | 'delete' | 'problems'>;

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
  const opened = folders.map(({ path, ...options }) => openFolder(path, options));
  const ours = shipped === undefined ? [] : [openFolder(shipped)];
  const stored = storedTexts(tables, now);
  const vaulted = vault && vaultTexts(vault, now);
  const read = createReading();
  let storeProblem: string | undefined;
  let lastStored: readonly StoredText[] = [];

  const textsOf = async (sources: readonly Pick<Folder, 'texts'>[]) =>
    (await Promise.all(sources.map((source) => source.texts()))).flat();

  /** What nobody can save: texts of the operator and of Sluice. */
  async function given(): Promise<readonly Known[]> {
    const inVault = async () => fromTexts('vault', vaulted ? await vaulted.texts() : [], read);
    const files = async () => fromTexts('file', await textsOf(opened), read);
    const inPackage = async () => fromTexts('shipped', await textsOf(ours), read);
    return (await Promise.all([files(), inVault(), inPackage()])).flat();
  }

  async function fromStore(): Promise<readonly Known[]> {
    try {
      lastStored = await stored.list();
      storeProblem = undefined;
    } catch (error) {
      storeProblem = messageOf(error);
    }
    return await fromRows(lastStored, read);
  }

  async function all(): Promise<readonly Known[]> {
    const everything = (await Promise.all([given(), fromStore()])).flat();
    const byName = Map.groupBy(everything, ({ name }) => name);
    return [...byName.values()].flatMap(winners).sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  }

  return {
    all,
    async save(text, by, kind, isNew) {
      const { definition, findings } = readDefinition(text);
      if (!definition)
        throw new AppError(
          'invalid_input',
          `The ${kind} was not saved: ${findings.filter(isError).map(findingLine).join(' ')}`,
        );
      const { name } = definition;
      const taken = (await given()).find((one) => one.name === name);
      if (taken)
        throw new AppError(
          'conflict',
          `The ${kind} was not saved: ${name} ${taken.origin === 'shipped' ? 'comes with Sluice' : `is defined in ${taken.file}`}. Choose another name.`,
        );
      await stored.save(name, kind, text, by, isNew);
      const saved = (await all()).find((one) => one.name === name);
      if (saved) return saved;
      throw new AppError('conflict', `${name} was deleted again while it was saved.`);
    },
    stored: (name) => stored.find(name),
    delete: (name, by) => stored.delete(name, by),
    problems: () => [
      ...opened.flatMap((folder) => folder.problems()),
      ...(storeProblem === undefined ? [] : [{ where: 'store', message: storeProblem }]),
      ...(vaulted?.problems() ?? []),
      ...ours.flatMap((folder) => folder.problems()),
    ],
    async [Symbol.asyncDispose]() {
      await Promise.all([...opened, ...ours].map((folder) => folder[Symbol.asyncDispose]()));
    },
  };
}
