import { constants, type FSWatcher, watch } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import type { BridgeEvents } from '../facts.ts';
import { parseSharedTools, type SharedTools } from './shared-tools.ts';

const POLL_MS = 1000;
const SETTLE_MS = 30;
/** Other files whose change may mean the shared one: Kubernetes swaps the first, and a directory may have either name. */
const WAKES: ReadonlySet<string> = new Set(['..data', 'n8n-tools.json', 'tools.json']);
/** Enough for the tools of thousands of workflows. */
const LARGEST = 32 * 1024 * 1024;

export interface SharedFileDeps {
  /** The value of TOOLS_SHARED_PATH: the file, or the directory of n8n-tools.json. */
  readonly path: string;
  readonly events: BridgeEvents;
  /** What is missing before AI tools of this n8n can be used; undefined if nothing is. */
  lacks(instance: string): Promise<string | undefined>;
  /** These workflows changed in the file; undefined means all, after the first read. */
  told(instance: string, workflows: readonly string[] | undefined): void;
}

export type SharedFileState =
  | { state: 'absent'; file: string }
  | { state: 'read'; file: string; workflows: number; tools: number; at: string }
  | { state: 'rejected'; file: string; reason: string; keeping: number; at: string };

export interface SharedFile extends AsyncDisposable {
  state(): SharedFileState;
  /** The last valid content. */
  content(): SharedTools | undefined;
}

/** Reads the shared file whenever it changes. An invalid file is reported, and the last valid content stays. */
export function watchSharedFile({ path, events, lacks, told }: SharedFileDeps): SharedFile {
  let state: SharedFileState = { state: 'absent', file: path };
  let good: SharedTools | undefined;
  let facts: string | undefined;
  let watcher: { directory: string; watch: FSWatcher } | undefined;
  let settling: NodeJS.Timeout | undefined;
  let round: Promise<void> = Promise.resolve();
  let isStopped = false;

  const look = () => {
    round = round.then(async () => {
      if (!isStopped) await check();
    });
  };

  async function check(): Promise<void> {
    const file = await fileAt(path);
    watchDirectory(dirname(file), basename(file));
    let trouble: unknown;
    const now = await stat(file, { bigint: true }).then(
      ({ ino, size, mtimeNs, ctimeNs }) => `${file} ${ino} ${size} ${mtimeNs} ${ctimeNs}`,
      (error: unknown) => {
        trouble = error;
        return `${file} ${String(error)}`;
      },
    );
    if (now === facts) return;
    facts = now;
    if (isMissing(trouble)) {
      // It may be missing only while it is rewritten, so its content stays.
      state = { state: 'absent', file };
      return;
    }
    try {
      if (trouble !== undefined) throw trouble;
      await take(file, parseSharedTools(await textOf(file)));
    } catch (error) {
      const reason =
        (error as NodeJS.ErrnoException).code === undefined ? messageOf(error) : `it ${fileTrouble(error)}`;
      const keeping = good ? good.workflows.length + good.tools.length : 0;
      state = { state: 'rejected', file, reason, keeping, at: new Date().toISOString() };
      events.record({ type: 'bridge.file_rejected', file, reason });
    }
  }

  async function take(file: string, next: SharedTools): Promise<void> {
    const before = good;
    good = next;
    const tools = next.workflows.reduce((sum, workflow) => sum + workflow.tools.length, next.tools.length);
    const workflows = next.workflows.length;
    state = { state: 'read', file, workflows, tools, at: new Date().toISOString() };
    if (!before) {
      const lacking = await lacks(next.instance);
      events.record({ type: 'bridge.file_accepted', file, workflows, tools, ...(lacking && { lacks: lacking }) });
    }
    const sameTools = JSON.stringify(before?.tools) === JSON.stringify(next.tools);
    const changed = before?.instance === next.instance && sameTools ? changedIn(before, next) : undefined;
    if (changed === undefined || changed.length > 0) told(next.instance, changed);
  }

  function watchDirectory(directory: string, name: string): void {
    if (watcher?.directory === directory) return;
    watcher?.watch.close();
    watcher = undefined;
    try {
      const made = watch(directory, { persistent: false }, (_, changed) => {
        if (changed !== null && changed !== name && !WAKES.has(changed)) return;
        clearTimeout(settling);
        settling = setTimeout(look, SETTLE_MS).unref();
      });
      made.on('error', () => {
        made.close();
        watcher = undefined;
      });
      watcher = { directory, watch: made };
    } catch {
      // The directory does not exist yet, or no watches are left: polling is enough.
    }
  }

  look();
  const poll = setInterval(look, POLL_MS).unref();
  return {
    state: () => state,
    content: () => good,
    async [Symbol.asyncDispose]() {
      isStopped = true;
      clearInterval(poll);
      clearTimeout(settling);
      watcher?.watch.close();
      await round;
    },
  };
}

async function fileAt(path: string): Promise<string> {
  const isDirectory = await stat(path).then(
    (found) => found.isDirectory(),
    () => !path.endsWith('.json'),
  );
  if (!isDirectory) return path;
  const [current, former] = [join(path, 'n8n-tools.json'), join(path, 'tools.json')];
  // Earlier versions of the hook wrote tools.json.
  return (await isThere(current)) || !(await isThere(former)) ? current : former;
}

const isThere = (file: string): Promise<boolean> =>
  stat(file).then(
    () => true,
    () => false,
  );

/** Whoever writes to the shared directory may put anything there: opening a pipe must not wait for its other end. */
async function textOf(file: string): Promise<string> {
  await using handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  if (!(await handle.stat()).isFile()) throw new Error('it is not a regular file');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of handle.createReadStream({ end: LARGEST, autoClose: false })) {
    chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  if (size > LARGEST) throw new Error(`it is larger than ${LARGEST / 1024 / 1024} MB`);
  return Buffer.concat(chunks).toString('utf8');
}

const isMissing = (error: unknown): boolean =>
  ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');

/** Ids of new, removed and changed workflows. */
function changedIn(before: SharedTools, after: SharedTools): string[] {
  const known = new Map(before.workflows.map((workflow) => [workflow.id, JSON.stringify(workflow)]));
  const changed = after.workflows.filter((workflow) => known.get(workflow.id) !== JSON.stringify(workflow));
  for (const { id } of after.workflows) known.delete(id);
  return [...changed.map(({ id }) => id), ...known.keys()];
}
