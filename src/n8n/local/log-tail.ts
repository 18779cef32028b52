import { open, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const LOOK_MS = 250;
const PIECE = 64 * 1024;

/** The last lines of a log. Empty if there is no log yet. */
export async function lastLines(path: string, count: number): Promise<{ text: string; end: number }> {
  const size = await sizeOf(path);
  let from = size;
  let text = '';
  while (from > 0 && text.split('\n').length <= count + 1) {
    from = Math.max(0, from - PIECE);
    text = await read(path, from, size);
  }
  const lines = text.split('\n');
  const kept = lines.slice(Math.max(0, lines.length - count - (lines.at(-1) === '' ? 1 : 0)));
  return { text: kept.join('\n'), end: size };
}

/** Reads what is appended after `from`, until the signal. After a rotation, reads the new log from its start. */
export async function followLog(path: string, from: number, say: (text: string) => void, signal: AbortSignal) {
  let file = await stat(path).catch(() => undefined);
  for (let at = from; !signal.aborted; ) {
    const now = await stat(path).catch(() => undefined);
    if (now && (now.ino !== file?.ino || now.size < at)) at = 0;
    if (now && now.size > at) {
      say(await read(path, at, now.size));
      at = now.size;
    }
    file = now;
    await delay(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => undefined))?.size ?? 0;
}

async function read(path: string, from: number, to: number): Promise<string> {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
  return buffer.toString('utf8', 0, bytesRead);
}
