import { type EventLog, kindOf } from '../../kernel/events.ts';
import type { Fact, FactKind, FactTable, Level } from '../../kernel/facts.ts';
import { messageOf } from '../../kernel/errors.ts';
import { redactNamed } from '../../kernel/redact.ts';
import { createRepeats } from './repeats.ts';
import { type Fields, openWriter, type Writer, type WriterOptions } from './log-writer.ts';

export interface LogOptions extends WriterOptions {
  /** Read at each line: the configuration may change. */
  level(): Level;
  /** The facts of all parts. */
  readonly facts: FactTable;
}

export interface Log extends AsyncDisposable {
  write(level: Level, message: string, fields?: Fields): void;
  /** Whether debug lines are written. */
  isDetailed(): boolean;
  /** Logs a recorded fact, if its level is wanted. */
  fact(fact: Fact, traceId: string | undefined): void;
}

type Line = Parameters<Writer['write']>;

const severity: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** How often the same failure is logged per minute. */
const SAME_A_MINUTE = 5;

/**
 * The log: JSON lines on stderr, or readable lines on a terminal. The library is loaded with the first line, when the
 * gateway already serves. If that fails, lines are written without it, and the next one tries again.
 */
export function openLog(options: LogOptions): Log {
  let writer: Writer | undefined;
  let isLacking = false;
  let closed = false;
  let waiting: Line[] = [];
  const failures = createRepeats({ most: SAME_A_MINUTE });
  const wanted = (level: Level) => severity[level] >= severity[options.level()];

  function write(level: Level, message: string, fields: Fields = {}): void {
    if (closed || !wanted(level)) return;
    const clean = redactNamed(fields, options.redact) as Fields;
    const line: Line = [level, options.redact(message), clean, new Date()];
    if (writer) writer.write(...line);
    else if (waiting.push(line) === 1) void open();
  }

  async function open(): Promise<void> {
    try {
      writer = await openWriter(options);
    } catch (error) {
      const why = `The library of the log cannot be loaded, so lines are written without it: ${messageOf(error)}`;
      if (!isLacking) waiting.unshift(['error', options.redact(why), {}, new Date()]);
      isLacking = true;
    }
    hand(writer?.write ?? plainly);
  }

  function hand(take: Writer['write']): void {
    const lines = waiting;
    waiting = [];
    for (const line of lines) take(...line);
  }

  const plainly: Writer['write'] = (level, msg, fields, time) =>
    void process.stderr.write(`${options.redact(JSON.stringify({ level, time, ...fields, msg }))}\n`);

  return {
    write,
    isDetailed: () => wanted('debug'),
    fact(fact, traceId) {
      const kind = kindOf(options.facts, fact.type);
      const level = levelOf(kind, fact);
      if (level === 'never' || !wanted(level)) return;
      const { type, ...fields } = fact;
      const passedOver = typeof fact.reason === 'string' ? failures.pass(subjectOf(fact)) : 0;
      if (passedOver === undefined) return;
      write(level, kind?.line?.(fact) ?? type, {
        event: type,
        ...(traceId !== undefined && { trace_id: traceId }),
        ...fields,
        ...(passedOver > 0 && { passed_over: passedOver }),
      });
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      if (writer) return writer.flush();
      // The program ends before the library is loaded: write the lines without it.
      hand(plainly);
    },
  };
}

function levelOf(kind: FactKind<Fact> | undefined, fact: Fact): Level | 'never' {
  const level = kind?.level ?? (kind?.status === 'failure' ? 'warn' : 'info');
  return typeof level === 'function' ? level(fact) : level;
}

/** Facts with the same subject look the same to a reader. */
function subjectOf({ type, tool, backend, address, reason }: Fact): string {
  return JSON.stringify([type, tool ?? backend ?? address, reason]);
}

/**
 * The event log, with a log line for each fact. Facts about the start are skipped while the terminal shows it in its
 * own way.
 */
export function logged<L extends EventLog<Fact>>(
  events: L,
  log: Log,
  { facts, startIsTold }: { facts: FactTable; startIsTold(): boolean },
): L {
  return {
    ...events,
    record(fact, context) {
      events.record(fact, context);
      if (startIsTold() && kindOf(facts, fact.type)?.opening) return;
      log.fact(fact, context?.traceId);
    },
  };
}
