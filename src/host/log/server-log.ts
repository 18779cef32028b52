import type { Env } from '../part.ts';
import { type Log, type LogOptions, openLog } from './log.ts';

/** Where a command that serves writes its log: lines for a person where one is looking. */
export function logStyle(env: Env): Pick<LogOptions, 'pretty' | 'colour'> {
  const pretty = process.stderr.isTTY;
  return { pretty, colour: pretty && !env.NO_COLOR && env.TERM !== 'dumb' };
}

/** A log that also has what the runtime itself says: warnings, and the error the program ends with. */
export function openServerLog(options: LogOptions): Log {
  const log = openLog(options);
  // Node's own listener would write them to stderr a second time, between our lines.
  const before = process.listeners('warning');
  const warned = (warning: Error) => log.write('warn', warning.message, { warning: warning.name });
  process.removeAllListeners('warning');
  process.on('warning', warned);
  const crashed = (error: unknown) => {
    log.write('error', 'Sluice ends because of an unforeseen error', {
      error: error instanceof Error ? (error.stack ?? error.message) : String(error),
    });
    log[Symbol.dispose]();
    // Node would print it as it is, with whatever is in it.
    process.exit(1);
  };
  process.on('uncaughtException', crashed);
  return {
    ...log,
    [Symbol.dispose]() {
      process.off('warning', warned);
      process.off('uncaughtException', crashed);
      for (const listener of before) process.on('warning', listener);
      log[Symbol.dispose]();
    },
  };
}
