import { type FSWatcher, watch } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../kernel/errors.ts';
import { type FileContent, readFolderFile } from './folder-file.ts';

export interface Problem {
  readonly where: string;
  readonly message: string;
}

export interface Text {
  /** Where it is: a file, or a path in Vault. */
  readonly where: string;
  readonly text: string;
}

/** The definitions of a folder, kept up to date. */
export interface Folder extends AsyncDisposable {
  texts(): Promise<readonly Text[]>;
  problems(): readonly Problem[];
}

const MOST_FILES = 1000;
const LINGER_MS = 50;
/** The net for what fs.watch misses: folders created later, network mounts. */
const POLL_MS = 2000;

/** `optional`: that the folder does not exist is no problem. */
export function openFolder(path: string, { optional = false } = {}): Folder {
  let files: ReadonlyMap<string, FileContent> = new Map();
  let missing: string | undefined;
  let left = 0;
  let watcher: { readonly of: string; readonly handle: FSWatcher } | undefined;
  let linger: NodeJS.Timeout | undefined;
  let working: Promise<void> | undefined;
  let again = false;
  const closed = new AbortController();

  function look(): Promise<void> {
    again = true;
    working ??= (async () => {
      while (again && !closed.signal.aborted) {
        again = false;
        await scan();
      }
    })().finally(() => {
      working = undefined;
    });
    return working;
  }

  async function scan(): Promise<void> {
    const found = new Map<string, FileContent>();
    let trouble: string | undefined;
    let names: string[] = [];
    try {
      const root = await realpath(path);
      await watchOver(root);
      // The hidden ones are those of editors, and the folders of a ConfigMap.
      names = (await readdir(root)).filter((name) => /^[^.].*\.(?:ya?ml|json)$/i.test(name)).sort();
      for (const name of names.slice(0, MOST_FILES)) {
        const content = await contentOf(root, join(path, name));
        if (content) found.set(join(path, name), content);
      }
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
      if (!isMissing) trouble = messageOf(error);
      else if (!optional) trouble = 'There is no such folder. Create it, or correct its path.';
    }
    files = found;
    missing = trouble;
    left = Math.max(0, names.length - MOST_FILES);
  }

  async function contentOf(root: string, file: string): Promise<FileContent | undefined> {
    try {
      return await readFolderFile(root, file, files.get(file));
    } catch (error) {
      // Deleted or replaced since it was listed.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      return { facts: '', problem: messageOf(error) };
    }
  }

  /** The folder may have been replaced by another one of its name. */
  async function watchOver(root: string): Promise<void> {
    const { dev, ino } = await stat(root, { bigint: true });
    const of = `${root} ${dev} ${ino}`;
    if (watcher?.of === of || closed.signal.aborted) return;
    watcher?.handle.close();
    watcher = undefined;
    try {
      const handle = watch(root, { persistent: false }, changed);
      handle.on('error', () => handle.close());
      watcher = { of, handle };
    } catch {
      // The system has no watches left: the poll is enough.
    }
  }

  function changed(): void {
    // A write in place truncates first: wait until it is over.
    clearTimeout(linger);
    linger = setTimeout(() => void look(), LINGER_MS).unref();
  }

  const poll = setInterval(() => void look(), POLL_MS).unref();
  const first = look();

  return {
    async texts() {
      await first;
      return [...files].flatMap(([where, content]) => ('text' in content ? [{ where, text: content.text }] : []));
    },
    problems() {
      const unread = [...files].flatMap(([where, content]) =>
        'problem' in content ? [{ where, message: content.problem }] : [],
      );
      const more = left === 0 ? [] : [`${left} files are not read: a folder may have ${MOST_FILES}.`];
      const own = [...(missing === undefined ? [] : [missing]), ...more];
      return [...own.map((message) => ({ where: path, message })), ...unread];
    },
    async [Symbol.asyncDispose]() {
      closed.abort();
      clearInterval(poll);
      clearTimeout(linger);
      await working;
      watcher?.handle.close();
    },
  };
}
