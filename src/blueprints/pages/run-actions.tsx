import type { ComponentChildren } from 'preact';
import { call } from '../../console/client/api.ts';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { Tree } from '../../console/client/ui/tree.tsx';
import { refreshWaiting } from '../../console/client/waiting.ts';
import type { Can, Timeline } from './shapes.ts';

interface Props {
  readonly run: Timeline;
  readonly onDone: () => Promise<void>;
}

/** What one can do about a run now. Each button says what it does; what one may not do says why. */
export function RunActions({ run, onDone }: Props) {
  const { approve, resume, cancel, undo } = run.can;
  const id = run.run;
  const after = async () => {
    await Promise.all([onDone(), refreshWaiting()]);
  };

  async function decide(isYes: boolean): Promise<void> {
    const note = await confirmed({
      title: isYes ? 'Approve it?' : 'Refuse it?',
      text: (
        <>
          <p>
            <bdi>{run.waits?.question}</bdi>
          </p>
          {run.waits?.arguments !== undefined && <Tree value={run.waits.arguments} open={2} />}
          <p>
            {isYes
              ? 'The run goes on.'
              : `The step fails${run.on_failure === 'undo' ? ', and what was done before is undone' : ''}.`}{' '}
            Your decision and the note are kept with the run.
          </p>
        </>
      ),
      yes: isYes ? 'Approve' : 'Refuse',
      danger: !isYes,
      note: { label: 'Note (optional)' },
    });
    if (note === undefined) return;
    const comment = note.trim().slice(0, 1000);
    await call('blueprint_approve', {
      run: id,
      step: run.waits?.step,
      ...(run.waits?.ask !== undefined && { ask: run.waits.ask }),
      approve: isYes,
      ...(comment !== '' && { comment }),
    });
    await after();
  }

  /** Asks in our words first. The gateway may ask again, if it goes on as somebody else. */
  async function ask(
    tool: string,
    args: object,
    question: { title: string; text: ComponentChildren; yes: string; danger?: boolean },
  ): Promise<void> {
    if ((await confirmed(question)) === undefined) return;
    if ((await callAsking(tool, { run: id, ...args }, question)) !== undefined) await after();
  }

  const goOn = (unknown?: 'done' | 'repeat') =>
    ask('blueprint_resume', { wait_seconds: 0, ...(unknown && { unknown }) }, resumeQuestion(run, unknown));
  const unknown = resume?.unknown ?? [];
  return (
    <div class="can">
      <Can can={approve} says={run.state === 'waiting' ? 'The run goes on only when somebody approves.' : ''}>
        <Action kind="main" run={() => decide(true)}>
          Approve …
        </Action>
        <Action run={() => decide(false)}>Refuse …</Action>
      </Can>
      {unknown.length > 0 ? (
        <Can
          can={resume}
          says={
            <>
              Nobody knows whether <bdi>{unknown.join(', ')}</bdi> took effect. Look, then say so.
            </>
          }
        >
          <Action kind="main" run={() => goOn('done')}>
            It took effect: go on …
          </Action>
          <Action run={() => goOn('repeat')}>It did not: run it again …</Action>
        </Can>
      ) : (
        <Can can={resume} says={resumeWords(run)}>
          <Action kind="main" run={() => goOn()}>
            Resume …
          </Action>
        </Can>
      )}
      <Can can={cancel} says="Cancelling stops what it does now and begins nothing more.">
        <Action
          run={() =>
            ask(
              'blueprint_cancel',
              { undo: false },
              {
                title: 'Cancel this run?',
                text: 'What it does now is stopped. What was done stays; you can undo or resume it later.',
                yes: 'Cancel the run',
                danger: true,
              },
            )
          }
        >
          Cancel, keep what was done …
        </Action>
        {cancel?.undo && (
          <Action
            run={() =>
              ask(
                'blueprint_cancel',
                { undo: true },
                {
                  title: 'Cancel and undo this run?',
                  text: 'What it does now is stopped. Then the finished steps are undone, the last first.',
                  yes: 'Cancel and undo',
                  danger: true,
                },
              )
            }
          >
            Cancel and undo …
          </Action>
        )}
      </Can>
      <Can can={undo} says={undoWords(run)}>
        {(undo?.steps.length ?? 0) > 0 && <Action run={() => undoIt(run, false, after)}>Undo …</Action>}
        {(undo?.unsure.length ?? 0) > 0 && (
          <Action run={() => undoIt(run, true, after)}>Undo, with what is unsure …</Action>
        )}
      </Can>
    </div>
  );
}

/** `blueprint_undo` always asks, so we do not ask before it. */
async function undoIt(run: Timeline, all: boolean, after: () => Promise<void>): Promise<void> {
  const done = await callAsking(
    'blueprint_undo',
    { run: run.run, wait_seconds: 0, ...(all && { include_unsure: true }) },
    { title: all ? 'Undo it, also what is unsure?' : 'Undo this run?', yes: 'Undo it' },
  );
  if (done !== undefined) await after();
}

interface CanProps {
  readonly can: Can | undefined;
  readonly says: ComponentChildren;
  readonly children: ComponentChildren;
}

function Can({ can, says, children }: CanProps) {
  if (!can) return null;
  return (
    <div>
      <p class="quiet">
        {says} {!can.allowed && <bdi class="warn">{can.why}</bdi>}
      </p>
      {can.allowed && <div class="actions">{children}</div>}
    </div>
  );
}

function resumeWords({ state, waits }: Timeline): string {
  if (waits?.for === 'rights') return 'Resuming goes on with your rights.';
  return state === 'cancelled'
    ? 'Resuming goes on where it was stopped, with your rights.'
    : 'Resuming tries the failed step again, with your rights. What is done is not done again.';
}

function resumeQuestion(run: Timeline, unknown: 'done' | 'repeat' | undefined) {
  const title = 'Resume this run?';
  if (unknown === 'done')
    return {
      title,
      text: 'The step counts as done, without a result. The run goes on after it.',
      yes: 'It took effect, go on',
    };
  if (unknown === 'repeat')
    return {
      title,
      text: 'The step runs again. If it did take effect, that may happen twice.',
      yes: 'Run it again',
      danger: true,
    };
  return { title, text: resumeWords(run), yes: 'Resume' };
}

function undoWords({ can: { undo } }: Timeline): ComponentChildren {
  if (!undo) return null;
  return (
    <>
      {undo.steps.length > 0 && (
        <>
          Undoing takes back <bdi>{undo.steps.join(', ')}</bdi>
          {undo.steps.length > 1 && ', in this order'}.{' '}
        </>
      )}
      {undo.unsure.length > 0 && (
        <>
          <bdi>{undo.unsure.join(', ')}</bdi> may or may not have taken effect, and{' '}
          {undo.unsure.length === 1 ? 'is' : 'are'} undone only if you say so.
        </>
      )}
    </>
  );
}
