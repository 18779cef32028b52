import { mkdir, open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../kernel/errors.ts';
import type { RecordedEvent } from '../kernel/events.ts';

export interface JsonlFiles extends AsyncDisposable {
  /** Queues the event for the next write. Never throws, never waits. */
  add(event: RecordedEvent): void;
  /** Writes what is queued. What cannot be written stays queued and is retried. */
  flush(): Promise<void>;
  /** Deletes the files of days before this date and returns how many. */
  prune(before: Date): Promise<number>;
  status(): JsonlStatus;
}

export interface JsonlStatus {
  /** Events that are in no file because writing failed for too long. */
  lost: number;
  /** Why writing fails right now. */
  error?: string;
  since?: string | undefined;
  retryAt?: string | undefined;
}

export interface JsonlSettings {
  flushMs?: number;
  /** How much to keep in memory while writing fails. */
  maxBytes?: number;
}

const SLOWEST_RETRY_MS = 30_000;
const NAME = /^(\d{4}-\d{2}-\d{2})\.jsonl$/;

/** What goes into one file, or the part not written yet. */
interface Batch {
  readonly day: string;
  text: Buffer;
  readonly size: number;
  readonly events: number;
}

/** Writes events to `<date>.jsonl`, one per line, dated in UTC. Several gateways may write to the same directory. */
export function createJsonlFiles(
  directory: string,
  { flushMs = 250, maxBytes = 8 * 1024 * 1024 }: JsonlSettings = {},
): JsonlFiles {
  let lines: { day: string; text: string }[] = [];
  let under: Batch | undefined;
  let bytes = 0;
  let lost = 0;
  let failures = 0;
  let error: string | undefined;
  let since: string | undefined;
  let retryAt: string | undefined;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function arm(): void {
    if (timer || closed) return;
    const wait = Math.min(flushMs * 2 ** failures, Math.max(flushMs, SLOWEST_RETRY_MS));
    retryAt = new Date(Date.now() + wait).toISOString();
    timer = setTimeout(() => {
      timer = undefined;
      void flush();
    }, wait).unref();
  }

  async function write(): Promise<void> {
    while (true) {
      under ??= nextBatch();
      if (!under) return;
      try {
        await append(under);
      } catch (thrown) {
        failed(thrown);
        return;
      }
      bytes -= under.size;
      under = undefined;
      failures = 0;
      error = undefined;
      since = undefined;
    }
  }

  function nextBatch(): Batch | undefined {
    const day = lines[0]?.day;
    if (day === undefined) return undefined;
    const next = lines.findIndex((line) => line.day !== day);
    const batch = next === -1 ? lines : lines.slice(0, next);
    lines = next === -1 ? [] : lines.slice(next);
    const text = Buffer.from(batch.map((line) => line.text).join(''));
    const size = batch.reduce((sum, line) => sum + line.text.length, 0);
    return { day, text, size, events: batch.length };
  }

  async function append(batch: Batch): Promise<void> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await using file = await open(join(directory, `${batch.day}.jsonl`), 'a', 0o600);
    while (batch.text.length > 0) {
      const { bytesWritten } = await file.write(batch.text);
      // A disk that fills up writes only a part. Append the rest later, so that no line is broken or doubled.
      batch.text = batch.text.subarray(bytesWritten);
    }
  }

  function failed(thrown: unknown): void {
    error = messageOf(thrown);
    if (failures === 0)
      process.emitWarning(`Cannot write events to ${directory}; they stay in memory for now: ${error}`);
    since ??= new Date().toISOString();
    failures = Math.min(failures + 1, 12);
    arm();
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    add(event) {
      const { timestamp, trace_id, event_type, status, data } = event;
      const text = `${JSON.stringify({ timestamp, trace_id, event_type, status, data })}\n`;
      if (closed || bytes + text.length > maxBytes) {
        lost++;
        return;
      }
      bytes += text.length;
      lines.push({ day: dayOf(timestamp), text });
      arm();
    },
    flush,
    async prune(before) {
      const names = await readdir(directory).catch(() => []);
      const day = before.toISOString().slice(0, 10);
      const old = names.filter((name) => (NAME.exec(name)?.[1] ?? day) < day);
      for (const name of old) await rm(join(directory, name), { force: true });
      return old.length;
    },
    status: () => ({ lost, ...(error !== undefined && { error, since, retryAt }) }),
    async [Symbol.asyncDispose]() {
      clearTimeout(timer);
      closed = true;
      await flush();
      lost += lines.length + (under?.events ?? 0);
      lines = [];
      under = undefined;
    },
  };
}

/** Other programs send their own timestamps. Some of them have no four-digit year. */
function dayOf(timestamp: string): string {
  const day = timestamp.slice(0, 10);
  return NAME.test(`${day}.jsonl`) ? day : new Date().toISOString().slice(0, 10);
}
