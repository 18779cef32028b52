import { AppError } from '../../kernel/errors.ts';
import { momentOf } from '../../kernel/moment.ts';

/** A time as Docker's queries take it: seconds since 1970, with nanoseconds after the point if the text has them. */
export function unixTime(text: string, now: number = Date.now()): string {
  const fraction = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.(\d{1,9})(?:Z|[+-]\d{2}:?\d{2})$/.exec(text.trim())?.[1];
  const milliseconds = momentOf(text, now).getTime();
  if (milliseconds < 0) throw new AppError('invalid_input', `${text} is before 1970.`);
  const seconds = Math.floor(milliseconds / 1000);
  const nanoseconds =
    fraction?.padEnd(9, '0') ??
    String(milliseconds % 1000)
      .padStart(3, '0')
      .padEnd(9, '0');
  return `${seconds}.${nanoseconds}`;
}

/** The time at the start of a line of a log that was asked for with times. */
export function splitTime(line: string): { readonly time?: string; readonly text: string } {
  const found = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})) ?/.exec(line);
  return found ? { time: found[1], text: line.slice(found[0].length) } : { text: line };
}

/** The moment before a time, if the time is exact enough: `until` includes the moment that it names. */
export function momentBefore(time: string): string {
  const found = /^(.*\.)(\d{9})(Z|[+-].*)$/.exec(time);
  if (!found || /^0+$/.test(found[2] as string)) return time;
  return `${found[1]}${String(Number(found[2]) - 1).padStart(9, '0')}${found[3]}`;
}
