import { AppError } from '../../kernel/errors.ts';
import { byFolder, folderOf, stemIn } from './backup-id.ts';
import { createBackgroundWork, type Told, type WorkState } from './background-work.ts';
import type { Copied, Limits, Waiting } from './backups.ts';
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
   * Which of these old backups of a folder the first place may delete at once: those that the second place would delete,
   * too. The others go once they are known to be there.
   */
  expendable(newestFirst: readonly string[], old: readonly string[]): string[];
  /** These were deleted on purpose. */
  forget(ids: readonly string[]): void;
  /** Copies these now. A caller who cancels stops waiting; the copies go on. */
  ensure(ids: readonly string[], waiting: Waiting): Promise<void>;
  /** Compares both places now, and copies what is missing. */
  all(waiting: Waiting): Promise<Copied>;
  /** Looks for what is missing, in the background. */
  begin(): void;
  state(): CopiesState;
}

export interface CopiesState extends WorkState {
  readonly waiting: number;
  /** Otherwise more may wait than is known. */
  readonly isCompared: boolean;
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
  readonly answerMs?: number | undefined;
  /** For tests. */
  readonly wait?: { readonly first: number; readonly most: number } | undefined;
}

const AT_ONCE = 4;
/** How long somebody waits for a second place that is known to be away. Its own retries take minutes. */
const ANSWER_MS = 10_000;
/** How long a stopping process goes on with copies that do not fail. The next one copies the rest. */
const GRACE_MS = 3_000;

export function createCopies({
  from,
  to,
  limits,
  required,
  told,
  redact,
  answerMs = ANSWER_MS,
  wait,
}: CopiesDeps): Copies {
  /** Not copied yet. Rebuilt by comparing both places, so that it survives a restart. */
  const waiting = new Set<string>();
  /** Folders of the second place with a new backup. */
  const grown = new Set<string>();
  const underWay = new Map<string, Promise<AppError | undefined>>();
  /** Ends the copies that are under way. Nobody who waits for one can do that, because others may wait for it, too. */
  const stop = new AbortController();
  let isCompared = false;
  const background = createBackgroundWork(catchUp, told, redact, wait);

  async function catchUp(signal: AbortSignal): Promise<void> {
    if (!isCompared) await compare(signal);
    while (waiting.size > 0) await copyFolders([...waiting]);
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
  async function copyFolders(
    ids: readonly string[],
    done: (id: string, unusable: AppError | undefined) => void = () => {},
    signal: AbortSignal = stop.signal,
  ): Promise<void> {
    let unread: unknown;
    await several([...byFolder(ids).values()], AT_ONCE, async (some) => {
      for (const id of some) {
        try {
          done(id, await unlessCancelled(copy(id), signal));
        } catch (error) {
          if (!(error instanceof Unreadable)) throw error;
          // Its own fault: the others can be copied.
          unread ??= error.cause;
        }
      }
    });
    if (unread !== undefined) throw unread;
  }

  /** Never copies the same backup twice at a time. Returns why there is nothing to copy. */
  function copy(id: string): Promise<AppError | undefined> {
    const known = underWay.get(id);
    if (known) return known;
    const started = transfer(id, stop.signal).finally(() => underWay.delete(id));
    // Everybody who waited for it may have cancelled. The next attempt tells.
    started.catch(() => {});
    underWay.set(id, started);
    return started;
  }

  async function transfer(id: string, signal: AbortSignal): Promise<AppError | undefined> {
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
      const isUnusable = unread instanceof AppError && ['not_found', 'conflict'].includes(unread.code);
      if (!isUnusable) throw new Unreadable('', { cause: unread });
      waiting.delete(id);
      return unread as AppError;
    }
    waiting.delete(id);
    grown.add(folderOf(id));
    return undefined;
  }

  /** Applies the limits of both places to the folders that grew. */
  async function trimGrown(signal: AbortSignal): Promise<void> {
    await several([...grown], AT_ONCE, async (name) => {
      const [instance, folder] = name.split('/');
      const there = (await to.list({ instance, folder }, signal)).sort().toReversed();
      const present = new Set(there);
      const here = (await from.list({ instance, folder })).sort().toReversed();
      const old = supersededIds(here, limits.from, Date.now());
      await from.remove([...new Set([...expendable(here, old), ...old.filter((id) => present.has(id))])]);
      await to.remove(supersededIds(there, limits.to, Date.now()), signal);
      grown.delete(name);
    });
  }

  function expendable(newestFirst: readonly string[], old: readonly string[]): string[] {
    const tooOld = new Set(supersededIds(newestFirst, limits.to, Date.now()));
    const gone = old.filter((id) => tooOld.has(id));
    for (const id of gone) waiting.delete(id);
    return gone;
  }

  async function ensure(ids: readonly string[], { signal, progress }: Waiting): Promise<void> {
    let done = 0;
    await reporting(async () => {
      await answered(signal);
      await several(ids, AT_ONCE, async (id) => {
        if (waiting.has(id) || (!isCompared && !(await exists(id, signal)))) await copyNow(id, signal);
        progress?.(++done, ids.length, 'copied');
      });
    });
  }

  async function copyNow(id: string, signal: AbortSignal): Promise<void> {
    const unusable = await unlessCancelled(copy(id), signal);
    if (unusable) throw unusable;
  }

  /** If this succeeds, the second place is back. The background does the rest. */
  async function reporting<T>(work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      background.due('now');
      return result;
    } catch (error) {
      background.due();
      throw error instanceof Unreadable ? error.cause : error;
    }
  }

  /** While copies fail, first asks whether the second place answers. */
  async function answered(signal: AbortSignal): Promise<void> {
    if (background.state().state !== 'failing') return;
    await to.list(NOWHERE, AbortSignal.any([signal, AbortSignal.timeout(answerMs)]));
  }

  async function exists(id: string, signal: AbortSignal): Promise<boolean> {
    const [instance, folder] = id.split('/');
    return (await to.list({ instance, folder }, signal)).includes(id);
  }

  /** Before a change: it cannot be cancelled, because its backup is half of it. */
  async function require(id: string): Promise<void> {
    try {
      const { signal } = new AbortController();
      // Somebody may have deleted an older one there.
      await reporting(async () => {
        await answered(signal);
        if (waiting.has(id) || !(await exists(id, signal))) await copyNow(id, signal);
      });
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
    all: ({ signal, progress }) =>
      reporting(async () => {
        await compare(signal);
        const ids = [...waiting];
        const damaged: string[] = [];
        let copied = 0;
        let done = 0;
        const tell = (id: string, unusable: AppError | undefined) => {
          if (!unusable) copied++;
          else if (unusable.code === 'conflict') damaged.push(id);
          progress?.(++done, ids.length, 'copied');
        };
        await copyFolders(ids, tell, signal);
        return { copied, damaged };
      }),
    begin: () => background.due(),
    state: () => ({ ...background.state(), waiting: waiting.size, isCompared }),
    async [Symbol.asyncDispose]() {
      const end = Date.now() + GRACE_MS;
      while (waiting.size > 0 && background.state().state !== 'failing' && Date.now() < end) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const ended = background[Symbol.asyncDispose]();
      stop.abort();
      await ended;
      await Promise.allSettled(underWay.values());
    },
  };
}

/** A folder without backups, to ask for something short. */
const NOWHERE = { instance: 'none', folder: 'none' };

/** A backup that the first place cannot give. */
class Unreadable extends Error {}

/** Stops waiting when the caller cancels. */
async function unlessCancelled<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const cancelled = Promise.withResolvers<never>();
  const cancel = () => cancelled.reject(new AppError('cancelled', 'The call was cancelled.'));
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    return await Promise.race([work, cancelled.promise]);
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}
