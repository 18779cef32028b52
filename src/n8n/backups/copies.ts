import { AppError } from '../../kernel/errors.ts';
import { byFolder, folderOf, stemIn } from './backup-id.ts';
import { createBackgroundWork, type Told, type WorkState } from './background-work.ts';
import type { Limits, Waiting } from './backups.ts';
import type { BackupPlace } from './place.ts';
import { superseded, supersededIds } from './retention.ts';
import { verified } from './sealed.ts';
import { several } from './several.ts';

/** The second place of backups: everything in the first one is copied to it. */
export interface Copies extends AsyncDisposable {
  readonly place: BackupPlace;
  readonly limits: Limits;
  /** A backup was written to the first place. If the copy is required, waits for it. */
  added(id: string): Promise<void>;
  /** A change relies on this older backup. If the copy is required, waits for it. */
  needs(id: string): Promise<void>;
  /**
   * Which of these old backups of a folder the first place may delete. It keeps one that is not copied yet, as long as
   * the second place would keep it.
   */
  expendable(newestFirst: readonly string[], old: readonly string[]): string[];
  /** These were deleted on purpose. */
  forget(ids: readonly string[]): void;
  /** Copies these now. */
  ensure(ids: readonly string[], waiting: Waiting): Promise<void>;
  /** Compares both places now, and copies what is missing. */
  all(waiting: Waiting): Promise<{ copied: number }>;
  /** Looks for what is missing, in the background. */
  begin(): void;
  state(): WorkState & { readonly waiting: number };
}

export interface CopiesDeps {
  readonly from: BackupPlace;
  readonly to: BackupPlace;
  readonly limits: { readonly from: Limits; readonly to: Limits };
  /** Whether nothing may be changed before its backup is in both places. */
  readonly required: boolean;
  readonly told: Told;
  redact(text: string): string;
  /** For tests. */
  readonly wait?: { readonly first: number; readonly most: number } | undefined;
}

const AT_ONCE = 4;
/** How long a stopping process goes on with copies that do not fail. The next one copies the rest. */
const GRACE_MS = 3_000;

export function createCopies({ from, to, limits, required, told, redact, wait }: CopiesDeps): Copies {
  /** Not copied yet. Rebuilt by comparing both places, so that it survives a restart. */
  const waiting = new Set<string>();
  /** Folders of the second place with a new backup. */
  const grown = new Set<string>();
  const underWay = new Map<string, Promise<void>>();
  let isCompared = false;
  const background = createBackgroundWork(catchUp, told, redact, wait);

  async function catchUp(signal: AbortSignal): Promise<void> {
    if (!isCompared) await compare(signal);
    while (waiting.size > 0) await copyFolders([...waiting], signal);
    await trimGrown(signal);
  }

  /** Finds what the second place lacks, except what it would delete again. */
  async function compare(signal: AbortSignal): Promise<void> {
    const [here, there] = await Promise.all([from.list({}), to.list({}, signal)]);
    const present = new Set(there);
    for (const ids of byFolder([...new Set([...here, ...there])]).values()) {
      const old = new Set(superseded(ids.map(stemIn), limits.to, Date.now()));
      for (const id of ids) if (!present.has(id) && !old.has(stemIn(id))) waiting.add(id);
    }
    isCompared = true;
  }

  /** The newest of each folder first. */
  async function copyFolders(ids: readonly string[], signal: AbortSignal, done: () => void = () => {}): Promise<void> {
    let unread: unknown;
    await several([...byFolder(ids).values()], AT_ONCE, async (some) => {
      for (const id of some) {
        await copy(id, signal).catch((error: unknown) => {
          if (!(error instanceof Unreadable)) throw error;
          // Its own fault: the others can be copied.
          unread ??= error.cause;
        });
        done();
      }
    });
    if (unread !== undefined) throw unread;
  }

  /** Never copies the same backup twice at a time. */
  function copy(id: string, signal: AbortSignal): Promise<void> {
    const known = underWay.get(id);
    if (known) return known;
    const started = transfer(id, signal).finally(() => underWay.delete(id));
    underWay.set(id, started);
    return started;
  }

  async function transfer(id: string, signal: AbortSignal): Promise<void> {
    let unread: unknown;
    async function* content() {
      try {
        yield* verified(id, from.read(id, signal));
      } catch (error) {
        unread = error;
        throw error;
      }
    }
    try {
      await to.write(id, content(), signal);
    } catch (error) {
      if (unread === undefined || signal.aborted) throw error;
      // It was deleted in the meantime, or is damaged and must not replace anything.
      const isGone = unread instanceof AppError && ['not_found', 'conflict'].includes(unread.code);
      if (!isGone) throw new Unreadable('', { cause: unread });
    }
    waiting.delete(id);
    grown.add(folderOf(id));
  }

  /** Applies the limits of both places to the folders that grew. */
  async function trimGrown(signal: AbortSignal): Promise<void> {
    await several([...grown], AT_ONCE, async (name) => {
      const [instance, folder] = name.split('/');
      const there = (await to.list({ instance, folder }, signal)).sort().toReversed();
      await to.remove(supersededIds(there, limits.to, Date.now()), signal);
      const here = (await from.list({ instance, folder })).sort().toReversed();
      await from.remove(expendable(here, supersededIds(here, limits.from, Date.now())));
      grown.delete(name);
    });
  }

  function expendable(newestFirst: readonly string[], old: readonly string[]): string[] {
    const tooOld = new Set(supersededIds(newestFirst, limits.to, Date.now()));
    const gone = old.filter((id) => tooOld.has(id) || (isCompared && !waiting.has(id)));
    for (const id of gone) waiting.delete(id);
    return gone;
  }

  async function ensure(ids: readonly string[], { signal, progress }: Waiting): Promise<void> {
    let done = 0;
    try {
      await several(ids, AT_ONCE, async (id) => {
        if (waiting.has(id) || (!isCompared && !(await exists(id, signal)))) await copy(id, signal);
        progress?.(++done, ids.length, 'copied');
      });
    } catch (error) {
      throw error instanceof Unreadable ? error.cause : error;
    } finally {
      background.due();
    }
  }

  const exists = (id: string, signal: AbortSignal): Promise<boolean> =>
    to.start(id, 1, signal).then(
      () => true,
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'not_found') return false;
        throw error;
      },
    );

  /** Before a change: it cannot be cancelled, because its backup is half of it. */
  async function require(id: string): Promise<void> {
    try {
      await ensure([id], { signal: new AbortController().signal });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      throw new AppError(error.code, `${error.message} Without a copy of the backup, nothing was changed.`, {
        cause: error,
      });
    }
  }

  return {
    place: to,
    limits: limits.to,
    expendable,
    ensure,
    async added(id) {
      waiting.add(id);
      if (required) await require(id);
      else background.due();
    },
    async needs(id) {
      if (required) await require(id);
    },
    forget(ids) {
      for (const id of ids) waiting.delete(id);
    },
    async all({ signal, progress }) {
      await compare(signal);
      const ids = [...waiting];
      let done = 0;
      try {
        await copyFolders(ids, signal, () => progress?.(++done, ids.length, 'copied'));
      } finally {
        background.due();
      }
      return { copied: ids.length };
    },
    begin: () => background.due(),
    state: () => ({ ...background.state(), waiting: waiting.size }),
    async [Symbol.asyncDispose]() {
      const end = Date.now() + GRACE_MS;
      while (waiting.size > 0 && background.state().state !== 'failing' && Date.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      await background[Symbol.asyncDispose]();
    },
  };
}

/** A backup that the first place cannot give. */
class Unreadable extends Error {}
