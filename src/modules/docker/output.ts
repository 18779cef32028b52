import type { Piece, Stream } from './frames.ts';
import { plainText } from './plain-text.ts';

/** What a command wrote: the end of each stream, and how much there was. */
export interface Output {
  readonly stdout: string;
  readonly stderr: string;
  readonly bytes: Readonly<Record<Stream, number>>;
}

const KEPT = 16 * 1024;
/** Both streams together, in a reply that has them twice. */
const ROOM = 6500;

/** Collects what a command writes, as long as it writes. Whoever stops reading early gets what there is. */
export function outputCollector(): { add(piece: Piece): void; output(): Output } {
  const kept: Record<Stream, Buffer[]> = { stdout: [], stderr: [] };
  const held: Record<Stream, number> = { stdout: 0, stderr: 0 };
  const bytes: Record<Stream, number> = { stdout: 0, stderr: 0 };
  const end = (stream: Stream) => Buffer.concat(kept[stream]).subarray(-KEPT);
  return {
    add({ stream, bytes: piece }) {
      bytes[stream] += piece.length;
      held[stream] += Math.min(piece.length, KEPT);
      kept[stream].push(Buffer.from(piece.subarray(-KEPT)));
      if (held[stream] < KEPT * 4 && kept[stream].length < 5000) return;
      kept[stream] = [Buffer.from(end(stream))];
      held[stream] = KEPT;
    },
    output() {
      const texts = { stdout: textOf(end('stdout')), stderr: textOf(end('stderr')) };
      // What one stream does not need, the other may have.
      const needed = { stdout: sizeOf(texts.stdout), stderr: sizeOf(texts.stderr) };
      const room = (stream: Stream, other: Stream) => Math.max(ROOM / 2, ROOM - needed[other]);
      return {
        stdout: endOf(texts.stdout, bytes.stdout, room('stdout', 'stderr')),
        stderr: endOf(texts.stderr, bytes.stderr, room('stderr', 'stdout')),
        bytes: { ...bytes },
      };
    },
  };
}

const textOf = (bytes: Buffer): string => plainText(bytes.toString('utf8'));

const sizeOf = (text: string): number => {
  const json = JSON.stringify(text);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
};

/** The end of a text that fits, with a word about what is missing before it. */
function endOf(text: string, bytes: number, room: number): string {
  let end = text;
  while (sizeOf(end) > room) end = end.slice(Math.ceil(end.length / 8)).replace(/^[\udc00-\udfff]/, '');
  const missing = bytes - Buffer.byteLength(end);
  return end.length === text.length && bytes <= KEPT ? end : `(${missing} bytes before this are left out)\n${end}`;
}
