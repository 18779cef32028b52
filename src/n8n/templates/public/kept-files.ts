import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const HEAD_BYTES = 64 * 1024;
/** When there is too much, this share of the limit stays. */
const STAYS = 0.9;
const DRAFT = '.tmp';
/** A draft that is older was left behind by a process that ended. */
const STALE_MS = 3_600_000;

/** A file in the folder. */
export interface KeptFile {
  /** Relative to the folder, with its subfolder. */
  readonly name: string;
  readonly bytes: number;
  readonly changedAt: number;
}

/** JSON files of two lines: a head that describes them, and the content. All of them can be read again from elsewhere. */
export interface KeptFiles {
  /** Head and content; undefined if there is none or it is damaged. */
  read(name: string): Promise<{ readonly head: unknown; readonly content: unknown } | undefined>;
  head(name: string): Promise<unknown>;
  /** Complete or not at all: false if it could not be written. Never throws, because it can be read again from elsewhere. */
  write(name: string, head: object, content: object): Promise<boolean>;
  list(subfolder: string): Promise<KeptFile[]>;
}

export function keptFiles(
  folder: string,
  mostBytes: number,
  /** The name of a file that has to go with each of these. */
  together: (deleted: string) => string | undefined = () => undefined,
): KeptFiles {
  /** Bytes in the folder; undefined until somebody counted. */
  let total: number | undefined;
  let pruning: Promise<void> | undefined;

  async function list(subfolder: string): Promise<KeptFile[]> {
    const names = await readdir(join(folder, subfolder)).catch(() => []);
    const files: KeptFile[] = [];
    for (const name of names) {
      const found = await stat(join(folder, subfolder, name)).catch(() => undefined);
      if (!found?.isFile()) continue;
      if (name.endsWith('.json'))
        files.push({ name: join(subfolder, name), bytes: found.size, changedAt: found.mtimeMs });
      else if (name.endsWith(DRAFT) && Date.now() - found.mtimeMs > STALE_MS)
        await rm(join(folder, subfolder, name), { force: true }).catch(() => {});
    }
    return files;
  }

  /** Deletes the oldest files until enough room is left. */
  async function prune(): Promise<void> {
    const subfolders = await readdir(folder, { withFileTypes: true }).catch(() => []);
    const all: KeptFile[] = [];
    for (const one of subfolders) if (one.isDirectory()) all.push(...(await list(one.name)));
    total = all.reduce((sum, { bytes }) => sum + bytes, 0);
    if (total <= mostBytes) return;
    for (const { name, bytes } of all.sort((one, other) => one.changedAt - other.changedAt)) {
      if (total <= mostBytes * STAYS) return;
      for (const one of [name, together(name)])
        if (one !== undefined) await rm(join(folder, one), { force: true }).catch(() => {});
      total -= bytes;
    }
  }

  return {
    list,
    async read(name) {
      const text = await readFile(join(folder, name), 'utf8').catch(() => '');
      const end = text.indexOf('\n');
      const head = end < 0 ? undefined : parsed(text.slice(0, end));
      const content = end < 0 ? undefined : parsed(text.slice(end + 1));
      return head === undefined || content === undefined ? undefined : { head, content };
    },
    async head(name) {
      const file = await open(join(folder, name), 'r').catch(() => undefined);
      if (!file) return undefined;
      try {
        const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
        const end = buffer.subarray(0, bytesRead).indexOf('\n');
        return end < 0 ? undefined : parsed(buffer.toString('utf8', 0, end));
      } catch {
        return undefined;
      } finally {
        await file.close();
      }
    },
    async write(name, head, content) {
      const path = join(folder, name);
      const draft = `${path}.${randomBytes(4).toString('hex')}${DRAFT}`;
      let bytes: number;
      try {
        // Throws if a template is nested too deep.
        const text = `${JSON.stringify(head)}\n${JSON.stringify(content)}\n`;
        bytes = Buffer.byteLength(text);
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeFile(draft, text, { mode: 0o600 });
        await rename(draft, path);
      } catch {
        await rm(draft, { force: true }).catch(() => {});
        return false;
      }
      if (total !== undefined) total += bytes;
      if (total !== undefined && total <= mostBytes) return true;
      pruning ??= prune().finally(() => {
        pruning = undefined;
      });
      await pruning;
      return true;
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
