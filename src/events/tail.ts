import { basename, dirname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { messageOf } from '../kernel/errors.ts';
import type { RecordedEvent } from '../kernel/events.ts';
import type { DeliveryLog } from './facts.ts';
import type { TailPlace, Tails } from '../store/store.ts';
import { createDirectoryWatch } from './directory-watch.ts';
import { eventInLine } from './line.ts';
import { createLines, LONGEST_LINE, type Lines } from './lines.ts';
import { openBetween, rotatedNames } from './rotated-files.ts';
import { createWaiting } from './waiting.ts';
import {
  continues,
  find,
  findRotated,
  headOf,
  idOf,
  isSameInode,
  isWholeHead,
  lastLineOf,
  NO_HEAD,
  type OpenFile,
  openFile,
} from './watched-file.ts';

export interface WatchedPath {
  path: string;
  /** Where to start in a file that already exists when it is watched for the first time. */
  from: 'start' | 'end';
  /** The user did not name the file, so it may be missing. */
  optional?: boolean;
}

/** The state of a watched file; `file` is its name without the directory. */
export interface WatchStatus {
  file: string;
  /** `elsewhere`: another replica reads it. */
  state: 'reading' | 'missing' | 'failing' | 'elsewhere';
  optional?: boolean;
  /** Events read since start. */
  events: number;
  /** Bytes not read yet. */
  behind: number;
  bad: number;
  tooLong: number;
  problem?: string;
  /** When the problem began. */
  since?: string;
}

export interface TailDeps {
  tails: Tails;
  events: DeliveryLog;
  redact(text: string): string;
  /** How long a file must be missing before it counts as gone. */
  goneMs?: number;
}

export interface Tail extends AsyncDisposable {
  status(): WatchStatus;
}

const CHUNK = 256 * 1024;
/** Events per transaction, the same as in the event log. */
const BATCH = 500;
const POLL_MS = 1_000;
/** A program keeps writing to a renamed file until it is told to reopen it. */
const ROTATION_MS = 1_000;
const REPORT_MS = 60_000;
/** How long to keep a deleted file open: its program may still write to it. */
const GONE_MS = 10_000;

/** Another process has read further: discard our state and continue from its position. */
class Overtaken extends Error {}

const nowhere: TailPlace = { file: '', offset: 0, head: NO_HEAD, skipping: false, bad: 0, tooLong: 0 };

/**
 * Follows one JSONL file. Stores its position in the same transaction as the events, so each line is read exactly once.
 */
export function startTail({ path, from, optional }: WatchedPath, deps: TailDeps): Tail {
  const { tails, events, redact } = deps;
  const file = basename(path);
  const waiting = createWaiting();
  const directory = createDirectoryWatch(dirname(path), waiting.wake);
  let chunk: Buffer | undefined;
  const stop = new AbortController();
  let place: TailPlace | undefined;
  let current: OpenFile | undefined;
  /** The files that replaced `current`, in order. Kept open, so that renaming does not hide them. */
  let next: OpenFile[] = [];
  let lines: Lines | undefined;
  let replacedAt = 0;
  let goneAt: number | undefined;
  let isGone = false;
  let size = 0;
  let stamp = '';
  let taken = 0;
  let state: WatchStatus['state'] = 'missing';
  let problem: string | undefined;
  let problemAt: string | undefined;
  let reported = { bad: 0, tooLong: 0, at: -REPORT_MS };

  async function run(): Promise<void> {
    while (!stop.signal.aborted) {
      try {
        await look();
        if (problem !== undefined) events.record({ type: 'watch.recovered', file });
        problem = undefined;
      } catch (error) {
        await letGoOfAll();
        if (error instanceof Overtaken) continue;
        const reason = redact(messageOf(error).replaceAll(path, file));
        if (problem === undefined) events.record({ type: 'watch.failed', file, reason });
        if (problem === undefined) problemAt = new Date().toISOString();
        problem = reason;
        state = 'failing';
      }
      report();
      if (!stop.signal.aborted) directory.ensure();
      if (!stop.signal.aborted) await waiting.pause(POLL_MS);
    }
  }

  async function look(): Promise<void> {
    place ??= await begin();
    if (current) await follow(current);
    const found = await find(path);
    state = found ? 'reading' : 'missing';
    await notice(found !== undefined);
    const newest = next.at(-1) ?? current;
    if (found && idOf(found) !== newest?.id) {
      await keepOpen(newest);
    }
    while (next.length > 0) {
      if (current) {
        // Only the last replaced file may still be written to.
        if (next.length === 1 && performance.now() - replacedAt < ROTATION_MS) return;
        await drain(current, true);
        // The rest is read after the restart.
        if (stop.signal.aborted) return;
        await letGo();
        // Store the id of the next file now: after a crash it is found by its id, whatever its name is then.
        await startAnew((next[0] as OpenFile).id);
      }
      current = next.shift() as OpenFile;
      await follow(current);
    }
  }

  /** Opens the files that came to the path after the newest known one, including those that were renamed since. */
  async function keepOpen(newest: OpenFile | undefined): Promise<void> {
    const found = await openFile(path);
    if (found.id === newest?.id) return found[Symbol.asyncDispose]();
    if (newest) next.push(...(await openBetween(path, newest, found)));
    next.push(found);
    replacedAt = performance.now();
  }

  /**
   * Reports once that the file is gone, and closes it. Until GONE_MS have passed it may only be in the middle of a
   * rotation.
   */
  async function notice(isThere: boolean): Promise<void> {
    if (isThere) {
      if (isGone) events.record({ type: 'watch.recovered', file });
      goneAt = undefined;
      isGone = false;
    } else if (current && next.length === 0) {
      goneAt ??= performance.now();
      if (performance.now() - goneAt < (deps.goneMs ?? GONE_MS)) return;
      await letGo();
      isGone = true;
      events.record({ type: 'watch.failed', file, reason: 'the file is gone; waiting for a new one' });
    }
  }

  /** Decides at the very first look where to begin, and stores that position. */
  async function begin(): Promise<TailPlace> {
    const known = await tails.get(path);
    if (known) {
      reported = { ...reported, bad: known.bad, tooLong: known.tooLong };
      return known;
    }
    let first = nowhere;
    const found = from === 'end' ? await find(path) : undefined;
    if (found) {
      await using there = await openFile(path);
      const offset = await lastLineOf(there, LONGEST_LINE);
      first = { ...nowhere, file: there.id, offset, head: await headOf(there, offset) };
    }
    await tails.commit(path, undefined, first, []);
    return (await tails.get(path)) ?? first;
  }

  /** Reads what is new in the open file, even if it was truncated or replaced. */
  async function follow(open: OpenFile): Promise<void> {
    const now = place as TailPlace;
    const before = stamp;
    stamp = await open.stamp();
    size = await open.size();
    if (lines && stamp === before && now.file === open.id) return;
    const same = isSameInode(now.file, open.id) && (await continues(open, now));
    if (!same) {
      lines = undefined;
      if (now.file !== '') await finishRotated(now, open);
      if (stop.signal.aborted) return;
      await startAnew(open.id);
    }
    await drain(open, false);
  }

  /** Reads the rest of the file we were reading, if it was renamed, and the files that came after it. */
  async function finishRotated(now: TailPlace, open: OpenFile): Promise<void> {
    await using rotated = await findRotated(path, now, await rotatedNames(path));
    if (!rotated) return;
    await using others = new AsyncDisposableStack();
    // After a copy and truncate the original is still at the path, and the files next to it are copies of what was
    // read.
    const between = isSameInode(rotated.id, now.file) ? await openBetween(path, rotated, open) : [];
    for (const file of between) others.use(file);
    await moveTo({ ...now, file: rotated.id }, []);
    await drain(rotated, true);
    lines = undefined;
    for (const file of between) {
      if (stop.signal.aborted) return;
      await startAnew(file.id);
      await drain(file, true);
    }
    lines = undefined;
  }

  async function startAnew(id = ''): Promise<void> {
    lines = undefined;
    const { bad, tooLong } = place as TailPlace;
    await moveTo({ ...nowhere, file: id, bad, tooLong }, []);
  }

  /**
   * Reads to the end. A `final` file is not written to any more, so its last line is complete even without a newline.
   */
  async function drain(open: OpenFile, final: boolean): Promise<void> {
    const at = place as TailPlace;
    lines ??= createLines(at.offset, at.skipping);
    const buffer = (chunk ??= Buffer.allocUnsafe(CHUNK));
    while (!stop.signal.aborted) {
      const { bytesRead } = await open.handle.read(buffer, 0, CHUNK, lines.read());
      if (bytesRead === 0) break;
      await take(open, lines, buffer.subarray(0, bytesRead));
    }
    // Do not hold memory for an idle file.
    chunk = undefined;
    if (final && !stop.signal.aborted && lines.last().length > 0) {
      const event = eventInLine(lines.last(), file, redact);
      await store(open, lines.read(), false, event ? [event] : [], event ? 0 : 1, 0);
    }
  }

  async function take(open: OpenFile, from: Lines, bytes: Buffer): Promise<void> {
    let batch: RecordedEvent[] = [];
    let bad = 0;
    let tooLong = 0;
    for (const { bytes: line, end } of from.add(bytes)) {
      const event = line && eventInLine(line, file, redact);
      if (event) batch.push(event);
      else if (line) bad++;
      else tooLong++;
      if (batch.length < BATCH) continue;
      await store(open, end, false, batch, bad, tooLong);
      batch = [];
      bad = tooLong = 0;
    }
    await store(open, from.done(), from.skipping(), batch, bad, tooLong);
  }

  async function store(
    open: OpenFile,
    offset: number,
    skipping: boolean,
    batch: RecordedEvent[],
    bad: number,
    tooLong: number,
  ): Promise<void> {
    const now = place as TailPlace;
    if (offset === now.offset && skipping === now.skipping && batch.length === 0) return;
    const head = isWholeHead(now.head) ? now.head : await headOf(open, offset);
    const next = { file: open.id, offset, head, skipping, bad: now.bad + bad, tooLong: now.tooLong + tooLong };
    await moveTo(next, batch);
  }

  async function moveTo(next: TailPlace, batch: RecordedEvent[]): Promise<void> {
    if (!(await tails.commit(path, place, next, batch))) {
      place = await tails.get(path);
      throw new Overtaken();
    }
    place = next;
    taken += batch.length;
    if (batch.length === 0) return;
    events.passOn(batch);
    // The store works in this thread: let calls run between two batches.
    await setImmediate();
  }

  /** Records one event for many bad lines. */
  function report(): void {
    if (!place || performance.now() - reported.at < REPORT_MS) return;
    const bad = place.bad - reported.bad;
    const tooLong = place.tooLong - reported.tooLong;
    if (bad + tooLong <= 0) return;
    events.record({ type: 'watch.lines_rejected', file, bad, tooLong });
    reported = { bad: place.bad, tooLong: place.tooLong, at: performance.now() };
  }

  async function letGo(): Promise<void> {
    const open = current;
    current = undefined;
    lines = undefined;
    size = 0;
    stamp = '';
    await open?.[Symbol.asyncDispose]();
  }

  async function letGoOfAll(): Promise<void> {
    const open = next;
    next = [];
    await letGo();
    for (const file of open) await file[Symbol.asyncDispose]();
  }

  const running = run();

  return {
    status: () => ({
      file,
      ...(optional && { optional }),
      state,
      events: taken,
      behind: Math.max(0, size - (place?.offset ?? 0)),
      bad: place?.bad ?? 0,
      tooLong: place?.tooLong ?? 0,
      ...(problem !== undefined && { problem, ...(problemAt !== undefined && { since: problemAt }) }),
    }),
    async [Symbol.asyncDispose]() {
      stop.abort();
      waiting.wake();
      directory[Symbol.dispose]();
      await running;
      await letGoOfAll();
    },
  };
}
