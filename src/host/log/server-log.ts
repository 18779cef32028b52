import type { Env } from '../part.ts';
import { type Log, type LogOptions, openLog } from './log.ts';

/** The log format of a command that serves: readable on a terminal. */
export function logStyle(env: Env): Pick<LogOptions, 'pretty' | 'colour'> {
  const pretty = process.stderr.isTTY;
  return { pretty, colour: pretty && !env.NO_COLOR && env.TERM !== 'dumb' };
}

/** A log that also contains Node's warnings and the error the program ends with. */
export function openServerLog(options: LogOptions): Log {
  const log = openLog(options);
  // Node's own listener would also write them to stderr, between our lines.
  const before = process.listeners('warning');
  const warned = (warning: Error) => log.write('warn', warning.message, { warning: warning.name });
  process.removeAllListeners('warning');
  process.on('warning', warned);
  const crashed = (error: unknown) => void endWith(error);
  async function endWith(error: unknown): Promise<void> {
    try {
      log.write('error', 'Sluice ends because of an unexpected error', {
        error: error instanceof Error ? (error.stack ?? error.message) : String(error),
      });
      await log[Symbol.asyncDispose]();
    } finally {
      // Node would print the error without redaction.
      process.exit(1);
    }
  }
  process.on('uncaughtException', crashed);
  return {
    ...log,
    async [Symbol.asyncDispose]() {
      process.off('warning', warned);
      process.off('uncaughtException', crashed);
      for (const listener of before) process.on('warning', listener);
      await log[Symbol.asyncDispose]();
    },
  };
}
