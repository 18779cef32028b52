import { useSignal } from '@preact/signals';
import { Failed, get } from '../../console/client/api.ts';
import { linkTo } from '../../console/client/pages.ts';
import { Ago, duration } from '../../console/client/ui/ago.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { Rows } from '../../console/client/ui/rows.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { Tree } from '../../console/client/ui/tree.tsx';
import type { Bar, RunStep, Timeline } from './shapes.ts';
import { toneOf } from './words.ts';

interface Detail {
  readonly arguments?: unknown;
  readonly result?: unknown;
  readonly cut?: readonly string[];
}

const FEW = 12;
const ROW = 44;

/** What was done for a step: tries, items, errors; and on request what it was given and gave. */
export function RunStepDetail({ run, step }: { run: Timeline; step: RunStep }) {
  const { bars, runs = [] } = step;
  const seen = useSignal<{ readonly bar: Bar; readonly detail: Detail | Failed } | undefined>(undefined);

  async function show(bar: Bar): Promise<void> {
    const asked = new URLSearchParams({
      phase: bar.phase,
      ...(bar.item !== undefined && { item: String(bar.item) }),
    });
    const path = `api/v1/blueprint-runs/${encodeURIComponent(run.run)}/steps/${encodeURIComponent(step.step)}?${asked}`;
    try {
      seen.value = { bar, detail: await get<Detail>(path) };
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      seen.value = { bar, detail: error };
    }
  }

  const line = (bar: Bar) => <BarLine bar={bar} now={run.now} show={() => show(bar)} />;
  return (
    <section class="card step" aria-label="The chosen step">
      <h3>
        <bdi>{step.step}</bdi>
      </h3>
      <p class="quiet">
        <bdi>{step.does}</bdi>
        {step.when !== undefined && (
          <>
            {' '}
            only if <code>{step.when}</code>
          </>
        )}
        {step.undo !== undefined && (
          <>
            , undone by <bdi>{step.undo}</bdi>
          </>
        )}
      </p>
      {bars.length === 0 && <p>It has not begun.</p>}
      {bars.length > FEW ? (
        <Rows label="What was done" items={bars} keyOf={keyOf} height={ROW} row={line} />
      ) : (
        bars.map((bar) => (
          <div key={keyOf(bar)} class="done">
            {line(bar)}
          </div>
        ))
      )}
      {runs.length > 0 && (
        <p>
          Its runs:{' '}
          {runs.map(({ run: id, state }) => (
            <span key={id}>
              <a href={linkTo('blueprints', ['runs', id])}>
                <bdi>{id}</bdi>
              </a>{' '}
              <State of={state} tone={toneOf(state)} />{' '}
            </span>
          ))}
        </p>
      )}
      {seen.value && <Seen {...seen.value} />}
    </section>
  );
}

const keyOf = ({ phase, item = -1 }: Bar): string => `${phase} ${item}`;

function BarLine({ bar, now, show }: { bar: Bar; now: string; show: () => Promise<void> }) {
  const { item, phase, state, attempts, started_at, ended_at, error, note } = bar;
  return (
    <>
      <State of={state} tone={toneOf(state)} />
      <span>
        {phase === 'undo' ? 'Undo' : 'Step'}
        {item !== undefined && `, item ${item + 1}`}
      </span>
      <span class="quiet">
        <Ago at={started_at} />, {duration(Math.max(0, Date.parse(ended_at ?? now) - Date.parse(started_at)))}
        {attempts > 1 && `, ${attempts} attempts`}
      </span>
      {(error ?? note) !== undefined && (
        <bdi class={error === undefined ? 'why' : 'why bad'} title={error ?? note}>
          {error ?? note}
        </bdi>
      )}
      <Action kind="plain" run={show}>
        Values
      </Action>
    </>
  );
}

function Seen({ bar, detail }: { bar: Bar; detail: Detail | Failed }) {
  if (detail instanceof Failed)
    return (
      <p class="warn" role="alert">
        {detail.message}
      </p>
    );
  const cut = (part: string) => (detail.cut?.includes(part) ? ' (the beginning: it is too large)' : '');
  return (
    <div role="status">
      <h4>
        Given to {bar.phase === 'undo' ? 'the undo' : 'it'}
        {bar.item === undefined ? '' : ` (item ${bar.item + 1})`}
        {cut('arguments')}
      </h4>
      {detail.arguments === undefined ? <p class="quiet">Nothing.</p> : <Tree value={detail.arguments} open={2} />}
      <h4>Came of it{cut('result')}</h4>
      {detail.result === undefined ? <p class="quiet">Nothing.</p> : <Tree value={detail.result} open={2} />}
    </div>
  );
}
