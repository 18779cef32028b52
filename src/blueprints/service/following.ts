import { canElicit } from '../../kernel/confirmation.ts';
import { hasScope } from '../../kernel/principal.ts';
import type { Progress } from '../../kernel/progress.ts';
import type { CallContext } from '../../kernel/source.ts';
import { isObject } from '../../wire/jsonrpc.ts';
import { isOpen, type Run } from '../runs/run.ts';
import type { Runtime } from '../runtime.ts';
import { type RunView, viewRun } from './view.ts';

/** Another replica may carry the run out, so it is read again from time to time. */
const LOOK_MS = 1000;

/**
 * Waits until a run has ended, or needs somebody, or the time is up. Reports each step. If a person has to decide and the
 * caller may, the caller's user is asked.
 */
export async function followRun(
  id: string,
  seconds: number,
  { control, journal, watching, redact }: Runtime,
  context: CallContext,
  progress: Progress,
): Promise<RunView> {
  const until = Date.now() + seconds * 1000;
  const asked = new Set<string>();
  let told = '';
  for (;;) {
    const run = await control.existing(id, context.principal);
    const view = viewRun(run, await journal.units(run.id), redact);
    const { done, total } = view.progress;
    const line = `${run.state}: ${wordsFor(view)}`;
    if (line !== told) progress(done, total, line);
    told = line;
    if (!isOpen(run.state) || context.signal.aborted) return view;
    const left = until - Date.now();
    if (run.state === 'waiting' && run.waits?.for === 'approval') {
      if (left <= 0 || !(await ask(run, asked, control, context))) return view;
      continue;
    }
    if (left <= 0 || (run.state === 'waiting' && run.waits?.for === 'rights')) return view;
    await watching.next(run.id, Math.min(left, LOOK_MS), context.signal);
  }
}

function wordsFor({ steps, waits, progress: { done, total } }: RunView): string {
  if (waits) return `waits for ${waits.for} in ${waits.step} (${done} of ${total} steps)`;
  const running = steps.find(({ state }) => state === 'running' || state === 'retrying');
  return running ? `${running.step} (${done} of ${total} steps)` : `${done} of ${total} steps`;
}

/** Whether the user decided. */
async function ask(run: Run, asked: Set<string>, control: Runtime['control'], context: CallContext): Promise<boolean> {
  const { waits } = run;
  if (waits?.for !== 'approval' || asked.has(waits.step)) return false;
  asked.add(waits.step);
  if (!canElicit(context) || !hasScope(context.principal, 'blueprint:approve')) return false;
  if (!control.mayApprove(run, context.principal)) return false;
  const answer = await context
    .ask('elicitation/create', {
      mode: 'form',
      message: `${run.name} (${run.id}) asks: ${waits.question}`,
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
  await control.approve(run.id, { step: waits.step, approved: approve, ...said }, context.principal);
  return true;
}
