import { fittingItems } from '../../../kernel/reply-size.ts';
import type { LogLine } from './log-lines.ts';

export interface Wanted {
  readonly lines: number;
  wants(line: LogLine): boolean;
}

/** The last of the lines that are wanted. Reads to the end, and holds no more than it returns. */
export async function lastLines(log: AsyncIterable<LogLine>, { lines, wants }: Wanted) {
  const kept: LogLine[] = [];
  let matched = 0;
  let total = 0;
  for await (const line of log) {
    total = line.number;
    if (!wants(line)) continue;
    matched += 1;
    kept[(matched - 1) % lines] = line;
  }
  const first = matched % lines;
  return { kept: matched <= lines ? kept : [...kept.slice(first), ...kept.slice(0, first)], matched, total };
}

/** The wanted lines from a number on. Stops to read as soon as it has them. */
export async function linesFrom(log: AsyncIterable<LogLine>, from: number, { lines, wants }: Wanted) {
  const kept: LogLine[] = [];
  for await (const line of log) {
    if (line.number < from || !wants(line)) continue;
    if (kept.length === lines) return { kept, next: line.number };
    kept.push(line);
  }
  return { kept };
}

const numbered = ({ number, text }: LogLine): string => `${number} ${text}`;

export const logText = (lines: readonly LogLine[]): string => lines.map(numbered).join('\n');

/** How many of these lines, from the first on, fit into a reply; at least one. */
export function fittingLines(lines: readonly LogLine[], besides: object): number {
  return lines.length === 0 ? 0 : fittingItems(lines.map(numbered), besides);
}

export interface Step {
  readonly conclusion?: string | null | undefined;
  readonly started_at?: string | null | undefined;
  readonly completed_at?: string | null | undefined;
}

/** Whether a line was written during a step that failed. A line without a time belongs to the one before it. */
export function duringFailures(steps: readonly Step[]): (line: LogLine) => boolean {
  const spans = steps
    .filter(({ conclusion }) => conclusion === 'failure' || conclusion === 'timed_out' || conclusion === 'cancelled')
    .flatMap(({ started_at, completed_at }) => {
      const from = Date.parse(started_at ?? '');
      const to = Date.parse(completed_at ?? '');
      // Steps are timed to the second, lines more exactly.
      return Number.isNaN(from) ? [] : [[from, Number.isNaN(to) ? Infinity : to + 999] as const];
    });
  let last: number | undefined;
  return ({ at }) => {
    last = at ?? last;
    const when = last;
    return when !== undefined && spans.some(([from, to]) => when >= from && when <= to);
  };
}

const TROUBLE =
  /\b(?:error|errors|fatal|panic|exception|traceback|failed|failure|failing|fail|not ok|denied|timed out)\b|[✗✖×]|\w(?:Error|Exception)\b|\bERR!/i;

/** `0 errors`, `no failures`: all is well. */
const NO_TROUBLE = /\b(?:0|no) (?:errors?|fail(?:ed|ures?|ing)?)\b/gi;

/** Whether a line tells of an error: marked so by the runner, or by its words. */
export const isTrouble = ({ kind, text }: LogLine): boolean =>
  kind === 'error' || (kind === 'plain' && TROUBLE.test(text.replace(NO_TROUBLE, '')));
