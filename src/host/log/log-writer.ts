import { setTimeout } from 'node:timers/promises';
import { harmless } from '../../kernel/harmless.ts';
import type { Level } from '../../kernel/facts.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface WriterOptions {
  /** Readable lines instead of JSON; only on a terminal. */
  readonly pretty: boolean;
  readonly colour: boolean;
  redact(text: string): string;
}

export interface Writer {
  write(level: Level, message: string, fields: Fields, at: Date): void;
  /** Settles when the lines are written, or soon if nobody reads them. */
  flush(): Promise<void>;
}

const STDERR = 2;
const FLUSH_MS = 500;

/** If the reader stops reading, drop lines instead of using more memory. */
const MOST_BYTES_WAITING = 4 * 1024 * 1024;

/** pino with our settings. Logs go to stderr, because stdout may belong to an MCP client. */
export async function openWriter({ pretty, colour, redact }: WriterOptions): Promise<Writer> {
  const { default: pino } = await import('pino');
  // It flushes only what has a minimum.
  const stderr = pino.destination({ dest: STDERR, sync: false, minLength: 1, maxLength: MOST_BYTES_WAITING });
  // Nobody has to read, and pino's own last flush would try for ever and block everything else.
  stderr.on('error', () => {});
  stderr.flushSync = () => {};
  const logger = pino(
    {
      level: 'debug',
      base: null,
      timestamp: false,
      formatters: { level: (level) => ({ level }) },
      // Redact the final line again: the fields were redacted one by one before.
      hooks: { streamWrite: redact },
    },
    pretty ? await readable(stderr, colour) : stderr,
  );
  return {
    write: (level, message, fields, at) =>
      pretty
        ? logger[level]({ time: at.toISOString(), ...harmlessFields(fields) }, onOneLine(harmless(message)))
        : logger[level]({ time: at.toISOString(), ...fields }, message),
    async flush() {
      const written = new Promise<void>((resolve) => stderr.flush(() => resolve()));
      await Promise.race([written, setTimeout(FLUSH_MS, undefined, { ref: false })]);
    },
  };
}

async function readable(
  destination: { write(text: string): unknown },
  colour: boolean,
): Promise<{ write(line: string): void }> {
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    colorize: colour,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    // On a terminal the message is enough; the other fields are for machines. `error` is what the program ends with.
    include: 'time,level,trace_id,error',
  });
  return { write: (line) => void destination.write(pretty(line)) };
}

const harmlessFields = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? harmless(value) : value]),
  );

/** Some messages quote a server. Its text must not look like a log line of ours. */
function onOneLine(message: string): string {
  return message.replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ');
}
