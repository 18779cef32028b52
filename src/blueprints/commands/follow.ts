import { setTimeout as delay } from 'node:timers/promises';
import { exit, UsageError } from '../../cli/frame.ts';
import { textIn } from '../../cli/values.ts';
import { toMilliseconds } from '../../host/config/duration.ts';
import type { Terminal } from '../../host/terminal.ts';
import type { Options, Values } from '../../kernel/command.ts';
import { AppError } from '../../kernel/errors.ts';
import { isOpen } from '../runs/run.ts';
import type { RunView } from '../service/run-view.ts';
import type { Calls } from './calls.ts';
import { runLines, waysOn } from './run-lines.ts';

/** The longest wait of one call. */
const LONGEST_CALL_S = 900;
const LOOK_MS = 2000;
const USUAL_WAIT_MS = 600_000;

export const waitOptions: Options = {
  wait: { type: 'string', describe: 'How long to wait for the end of the run (10m)' },
  'no-wait': { type: 'boolean', describe: 'Do not wait for the end of the run' },
};

/** How long to wait, in milliseconds. */
export function waitIn(values: Values, otherwise = USUAL_WAIT_MS): number {
  const text = textIn(values, 'wait');
  if (text !== undefined && values['no-wait'] === true) throw new UsageError('use --wait or --no-wait, not both');
  if (values['no-wait'] === true) return 0;
  if (text === undefined) return otherwise;
  const ms = toMilliseconds(text);
  if (ms === undefined) throw new UsageError(`--wait must be a time such as 60s or 10m, not ${text}`);
  return ms;
}

/**
 * Waits until a run has ended, or the time is up, or it needs somebody else. The person at the terminal is asked to decide
 * where that is allowed, once for each step. `patient`: also waits for others to decide.
 */
async function follow(calls: Calls, run: string, ms: number, patient = false): Promise<RunView> {
  const until = Date.now() + ms;
  const asked = new Set<string>();
  for (let quiet: 'quiet' | undefined; ; ) {
    const left = Math.max(0, until - Date.now());
    const seconds = Math.min(LONGEST_CALL_S, Math.ceil(left / 1000));
    const view = await calls.call<RunView>('blueprint_status', { run, wait_seconds: seconds }, quiet);
    if (!isOpen(view.state) || Date.now() >= until) return view;
    const { waits } = view;
    const needsSomebody = waits?.for === 'approval' || waits?.for === 'rights';
    if (needsSomebody && !patient) return view;
    const about = `${waits?.step} ${waits?.ask}`;
    if (needsSomebody && quiet === undefined) asked.add(about);
    quiet = needsSomebody && asked.has(about) ? 'quiet' : undefined;
    if (quiet) await delay(LOOK_MS, undefined, { signal: calls.signal }).catch(() => {});
  }
}

export interface Showing {
  readonly terminal: Terminal;
  readonly json: boolean;
  /** States that are what was wanted. */
  readonly wanted: readonly RunView['state'][];
  /** Whether it is fine if the run has not ended. */
  readonly mayBeOpen: boolean;
}

/** Follows a run, shows how it is then, and returns the exit code. */
export async function followed(
  calls: Calls,
  run: string,
  ms: number,
  { patient = false, ...showing }: Showing & { readonly patient?: boolean },
): Promise<number> {
  const { terminal } = showing;
  try {
    return shown(await follow(calls, run, ms, patient), calls, showing);
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'cancelled') throw error;
    terminal.say(`You do not watch ${run} any more, but it is not cancelled. ${laterWords(run, calls)}`);
    return exit.failed;
  }
}

export function shown(view: RunView, calls: Calls, { terminal, json, wanted, mayBeOpen }: Showing): number {
  if (json) terminal.print(JSON.stringify(view, null, 2));
  else for (const line of runLines(view, terminal.width)) terminal.print(line);
  for (const line of waysOn(view)) terminal.say(line);
  const { state } = view;
  if (isOpen(state)) {
    if (calls.isOwn || state !== 'waiting') terminal.say(laterWords(view.run, calls));
    return mayBeOpen ? exit.done : exit.failed;
  }
  return wanted.includes(state) ? exit.done : exit.failed;
}

const laterWords = (run: string, { isOwn }: Calls): string =>
  isOwn
    ? 'No gateway runs now, so the run pauses. It goes on when `sluice serve` runs.'
    : `\`sluice blueprint status ${run} --follow\` shows how it goes on.`;
