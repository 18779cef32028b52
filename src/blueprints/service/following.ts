import { setTimeout as delay } from 'node:timers/promises';
import { canElicit } from '../../kernel/confirmation.ts';
import { AppError } from '../../kernel/errors.ts';
import { hasScope } from '../../kernel/principal.ts';
import { type Progress, silent } from '../../kernel/progress.ts';
import type { CallContext } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import { isOpen, type Run, type RunHead, type Waits } from '../runs/run.ts';
import type { Journal } from '../runs/journal.ts';
import { type Control, seesAsked } from './control.ts';
import type { RunView } from './run-view.ts';
import { viewRun } from './view.ts';
import type { Watching } from './watching.ts';

/** Another replica may carry the run out, so it is read again from time to time. */
const LOOK_MS = 1000;
const SHORTEST_MS = 20;

export interface FollowDeps {
  readonly control: Control;
  readonly journal: Journal;
  readonly watching: Watching;
  redact(text: string): string;
}

/**
 * Waits until a run has ended, or needs somebody, or the time is up. Reports each step. If a person has to decide and the
 * caller may, the caller's user is asked.
 */
export async function followRun(
  id: string,
  seconds: number,
  { control, journal, watching, redact }: FollowDeps,
  context: CallContext,
  progress: Progress,
): Promise<RunView> {
  const isReporting = progress !== silent;
  const until = Date.now() + seconds * 1000;
  const asked = new Set<string>();
  const { id: run } = await control.existing(id, context.principal);
  const view = async () => viewed((await journal.get(run)) as Run);
  const viewed = async (one: Run) =>
    viewRun(one, await journal.timeline(run), redact, seesAsked(one, context.principal));
  let told = '';
  for (;;) {
    const head = (await journal.head(run)) as RunHead;
    const isEnd = !isOpen(head.state) || context.signal.aborted || Date.now() >= until;
    const asks = head.state === 'waiting' && head.waits?.for === 'approval';
    const isStuck = head.state === 'waiting' && head.waits?.for === 'rights';
    if (isEnd || asks || isStuck || isReporting) {
      const seen = await view();
      const line = `${seen.state}: ${wordsFor(seen)}`;
      if (line !== told) progress(seen.progress.done, seen.progress.total, line);
      told = line;
      if (isEnd || isStuck) return seen;
      if (asks && !(await ask((await journal.get(run)) as Run, asked, control, context))) return seen;
      if (asks) continue;
    }
    await watching.next(run, Math.min(until - Date.now(), LOOK_MS), context.signal);
    // Steps may end faster than anybody reads.
    await delay(Math.min(SHORTEST_MS, Math.max(0, until - Date.now())), undefined, { ref: false });
  }
}

function wordsFor({ steps, waits, progress: { done, total } }: RunView): string {
  if (waits) return `waits for ${waits.for} in ${waits.step} (${done} of ${total} steps)`;
  const running = steps.find(({ state }) => state === 'running' || state === 'retrying');
  return running ? `${running.step} (${done} of ${total} steps)` : `${done} of ${total} steps`;
}

const keyOf = ({ step, ask = '' }: Pick<Extract<Waits, { for: 'approval' }>, 'step' | 'ask'>): string =>
  `${step} ${ask}`;

/** Whether it was decided. */
async function ask(run: Run, asked: Set<string>, control: Control, context: CallContext): Promise<boolean> {
  const { waits } = run;
  if (waits?.for !== 'approval' || asked.has(keyOf(waits))) return false;
  asked.add(keyOf(waits));
  if (!canElicit(context) || !hasScope(context.principal, 'blueprint:approve')) return false;
  if (!control.mayApprove(run, context.principal)) return false;
  const answer = await context
    .ask('elicitation/create', {
      mode: 'form',
      message: `${run.name} (${run.id}) asks: ${waits.question}${run.asked === undefined ? '' : `\n${run.asked}`}`,
      requestedSchema: {
        type: 'object',
        properties: {
          approve: { type: 'boolean', title: 'Approve', description: 'No refuses the step, and the run fails' },
          comment: { type: 'string', title: 'Comment' },
        },
        required: ['approve'],
      },
      _meta: { 'sluice/confirm': 'human' },
    })
    .catch(() => undefined);
  if (!answer || 'error' in answer || answer.result.action !== 'accept' || !isObject(answer.result.content))
    return false;
  const { approve, comment } = answer.result.content;
  if (typeof approve !== 'boolean') return false;
  const said = typeof comment === 'string' && comment !== '' ? { comment: comment.slice(0, 1000) } : {};
  try {
    await control.approve(run.id, { step: waits.step, ask: waits.ask, approved: approve, ...said }, context.principal);
  } catch (error) {
    // Somebody else decided, or the time was up. How the run goes on says it all.
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
  }
  return true;
}
