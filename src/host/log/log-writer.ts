import { harmless } from '../../kernel/harmless.ts';
import type { Level } from '../../kernel/facts.ts';

export type Fields = Readonly<Record<string, unknown>>;

export interface WriterOptions {
  /** Lines for a person instead of JSON; only where that is a terminal. */
  readonly pretty: boolean;
  readonly colour: boolean;
  redact(text: string): string;
}

export interface Writer {
  write(level: Level, message: string, fields: Fields, at: Date): void;
  flush(): void;
}

const STDERR = 2;

/** A reader that has stopped reading costs lines, not memory. */
const MOST_BYTES_WAITING = 4 * 1024 * 1024;

/** pino, as we write logs: to stderr, because stdout may be a client's. */
export async function openWriter({ pretty, colour, redact }: WriterOptions): Promise<Writer> {
  const { default: pino } = await import('pino');
  const destination = pretty
    ? await prettyStream(colour)
    : pino.destination({ dest: STDERR, sync: false, maxLength: MOST_BYTES_WAITING });
  const logger = pino(
    {
      level: 'debug',
      base: null,
      timestamp: false,
      formatters: { level: (level) => ({ level }) },
      // The last look, at the line as it leaves: fields were cleaned one by one before.
      hooks: { streamWrite: redact },
    },
    destination,
  );
  return {
    write: (level, message, fields, at) =>
      pretty
        ? logger[level]({ time: at.toISOString(), ...harmlessFields(fields) }, onOneLine(harmless(message)))
        : logger[level]({ time: at.toISOString(), ...fields }, message),
    flush: () => destination.flushSync?.(),
  };
}

async function prettyStream(colour: boolean): Promise<{ write(text: string): void; flushSync?(): void }> {
  const { default: pretty } = await import('pino-pretty');
  return pretty({
    destination: STDERR,
    sync: true,
    colorize: colour,
    singleLine: true,
    translateTime: 'SYS:HH:MM:ss',
    // On a terminal the sentence says it; the rest is for machines. The error is what the program ends with.
    include: 'time,level,trace_id,error',
  });
}

const harmlessFields = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? harmless(value) : value]),
  );

/** What a server said is part of some messages: it must not look like a line of ours. */
function onOneLine(message: string): string {
  return message.replace(/\s*[\r\n\u2028\u2029]\s*/g, ' ');
}
