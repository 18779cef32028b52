import type { EventLog, Fact } from '../kernel/events.ts';
import { statusOf } from '../kernel/events.ts';
import { redactNamed } from '../kernel/redact.ts';
import { type Level, lineFor } from './fact-lines.ts';
import { createRepeats } from './repeats.ts';
import { type Fields, openWriter, type Writer, type WriterOptions } from './log-writer.ts';

export interface LogOptions extends WriterOptions {
  /** Read at each line: the configuration may change. */
  level(): Level;
}

export interface Log extends Disposable {
  write(level: Level, message: string, fields?: Fields): void;
  /** A fact that was recorded, as a line; the hot ones only where they are wanted. */
  fact(fact: Fact, traceId: string | undefined): void;
}

const severity: Record<Level, number> = { debug: 0, info: 1, warn: 2, error: 3 };

/** What fails all the time is not a new line each time. */
const SAME_A_MINUTE = 5;

/**
 * The log: JSON lines on stderr, or readable ones on a terminal. The library behind it is loaded with the first line,
 * which comes when the gateway serves already.
 */
export function openLog(options: LogOptions): Log {
  let writer: Writer | undefined;
  let opening: Promise<void> | undefined;
  let waiting: Parameters<Writer['write']>[] = [];
  const failures = createRepeats({ most: SAME_A_MINUTE });
  const wanted = (level: Level) => severity[level] >= severity[options.level()];

  function write(level: Level, message: string, fields: Fields = {}): void {
    if (!wanted(level)) return;
    const clean = redactNamed(fields, options.redact) as Fields;
    const line: Parameters<Writer['write']> = [level, options.redact(message), clean, new Date()];
    if (writer) return writer.write(...line);
    waiting.push(line);
    opening ??= open();
  }

  async function open(): Promise<void> {
    const opened = await openWriter(options);
    for (const line of waiting) opened.write(...line);
    waiting = [];
    writer = opened;
  }

  return {
    write,
    fact(fact, traceId) {
      const { type, ...fields } = fact;
      const line = lineFor(fact, statusOf(type) === 'failure');
      if (!wanted(line.level)) return;
      const passedOver = 'reason' in fact ? failures.pass(subjectOf(fact)) : 0;
      if (passedOver === undefined) return;
      write(line.level, line.message, {
        event: type,
        ...(traceId !== undefined && { trace_id: traceId }),
        ...fields,
        ...(passedOver > 0 && { passed_over: passedOver }),
      });
    },
    [Symbol.dispose]() {
      if (writer) return writer.flush();
      // It ends before it has begun: what was said is said plainly.
      for (const [level, msg, fields, time] of waiting)
        process.stderr.write(`${JSON.stringify({ level, time, ...fields, msg })}\n`);
      waiting = [];
    },
  };
}

/** What makes two facts the same to a reader. */
function subjectOf(fact: Fact & { reason: string }): string {
  const about = fact as { tool?: string; backend?: string; address?: string };
  return `${fact.type} ${about.tool ?? about.backend ?? about.address ?? ''} ${fact.reason}`;
}

const perCall: ReadonlySet<Fact['type']> = new Set(['tool.call_received', 'tool.call_completed']);

/** Arguments are for those who asked for them as events. */
const neverLogged: ReadonlySet<Fact['type']> = new Set(['tool.call_arguments']);

/** What a person at a terminal is told at the start in other words. */
const ofTheStart = /^gateway\.(started|backend_)/;

/**
 * The same event log, with a line in the log for each fact. Calls that go well are told of at `debug` only; the start
 * not at all while somebody else tells of it.
 */
export function logged<L extends EventLog>(
  events: L,
  log: Log,
  { level, startIsTold }: { level(): Level; startIsTold(): boolean },
): L {
  return {
    ...events,
    record(fact, context) {
      events.record(fact, context);
      if (neverLogged.has(fact.type) || (perCall.has(fact.type) && level() !== 'debug')) return;
      if (startIsTold() && ofTheStart.test(fact.type)) return;
      log.fact(fact, context?.traceId);
    },
  };
}
