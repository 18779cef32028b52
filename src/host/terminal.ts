import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { AppError } from '../kernel/errors.ts';
import { harmless } from '../kernel/harmless.ts';

const styles = { green: 32, yellow: 33, red: 31, bold: 1, dim: 2 } as const;

export type Style = keyof typeof styles;

/** Where a command reads and writes. Data goes to stdout, messages go to stderr. */
export interface Terminal {
  /** Whether there is a person to ask. */
  readonly interactive: boolean;
  /** Maximum line width on stdout; undefined if it is not a terminal. */
  readonly width: number | undefined;
  print(text: string): void;
  say(text: string): void;
  /** A line that replaces the previous one; plain lines if that is not possible. */
  progress(text: string): void;
  paint(style: Style, text: string): string;
  /** Undefined if the input ends (Ctrl-D) or the signal aborts; AppError `cancelled` at Ctrl-C. */
  ask(question: string, options?: { hidden?: boolean; signal?: AbortSignal }): Promise<string | undefined>;
  /** All of stdin, as text. */
  input(): Promise<string>;
}

const PLAIN_PROGRESS_MS = 1000;

export function createTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  const { stdin, stdout, stderr } = process;
  const plain = Boolean(env.NO_COLOR) || env.TERM === 'dumb';
  const coloured = stdout.isTTY && !plain;
  const rewrites = stderr.isTTY && !plain;
  let unfinished = false;
  let lastProgress = 0;
  let guarded = false;

  // Marks our own colors until they are written. Others cannot know this value, so they cannot color anything.
  const mark = `\x1b${randomUUID()}[`;
  const finished = (text: string) => text.split(mark).map(harmless).join('\x1b[');
  const onOneLine = (text: string) => harmless(text).replaceAll('\n', ' ');

  const clear = () => {
    if (unfinished) stderr.write('\r\x1b[K');
    unfinished = false;
  };

  return {
    interactive: stdin.isTTY && stderr.isTTY,
    // Some terminals report 0 columns.
    width: (stdout.isTTY && stdout.columns) || undefined,
    print(text) {
      clear();
      // The reader may stop early: `sluice tools | head`.
      if (!guarded) stdout.once('error', () => process.exit(0));
      guarded = true;
      stdout.write(`${stdout.isTTY ? finished(text) : text}\n`);
    },
    say(text) {
      clear();
      stderr.write(`${finished(text)}\n`);
    },
    progress(text) {
      if (rewrites) {
        stderr.write(`\r\x1b[K${onOneLine(text).slice(0, (stderr.columns || 80) - 1)}`);
        unfinished = true;
      } else if (Date.now() - lastProgress >= PLAIN_PROGRESS_MS) {
        lastProgress = Date.now();
        stderr.write(`${onOneLine(text)}\n`);
      }
    },
    paint: (style, text) => (coloured ? `${mark}${styles[style]}m${text}${mark}0m` : text),
    ask(question, { hidden = false, signal } = {}) {
      clear();
      return new Promise((resolve, reject) => {
        const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
        // From here on the terminal does not echo, so a hidden answer never appears.
        const lines = createInterface({ input: stdin, output: hidden ? silent : stderr, terminal: true });
        let settled = false;
        const finish = (settle: () => void) => {
          if (settled) return;
          settled = true;
          lines.close();
          if (hidden) stderr.write('\n');
          settle();
        };
        lines.once('SIGINT', () => finish(() => reject(new AppError('cancelled', 'Stopped. Nothing was done.'))));
        lines.once('close', () => finish(() => resolve(undefined)));
        signal?.addEventListener('abort', () => lines.close(), { once: true });
        const asked = finished(question);
        if (hidden) stderr.write(asked);
        lines.question(hidden ? '' : asked, (answer) => finish(() => resolve(answer.trim())));
      });
    },
    async input() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(chunk as Buffer);
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}
