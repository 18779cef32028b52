import { duration } from '../../console/client/ui/ago.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { type Placed, placed, type Span, spanOf } from './bars.ts';
import { stateOf } from './flow.ts';
import type { RunStep, Timeline } from './shapes.ts';
import { toneOf } from './words.ts';

interface Props {
  readonly run: Timeline;
  readonly chosen: string | undefined;
  readonly onChoose: (step: string) => void;
}

/** Steps as bars over time. */
export function RunTimeline({ run, chosen, onChoose }: Props) {
  const span = spanOf(run.steps, run.created_at, run.now, run.ended_at);
  return (
    <ol class="timeline" aria-label="Timeline">
      {run.steps.map((step) => (
        <li key={step.step}>
          <button type="button" aria-pressed={step.step === chosen} onClick={() => onChoose(step.step)}>
            <StepLine step={step} span={span} now={run.now} />
          </button>
        </li>
      ))}
      <li class="axis quiet" aria-hidden="true">
        <span />
        <span>
          <span>0</span>
          <span>{duration(span.to - span.from)}</span>
        </span>
      </li>
    </ol>
  );
}

function StepLine({ step, span, now }: { step: RunStep; span: Span; now: string }) {
  const { state, undone } = stateOf(step);
  const bars = placed(step.bars, span, now);
  const attempts = Math.max(1, ...step.bars.map((bar) => bar.attempts));
  const ran = bars.find(({ bar }) => bar.item === undefined && bar.phase === 'do');
  return (
    <>
      <span class="what">
        <bdi class="name">{step.step}</bdi>
        <State of={state} tone={toneOf(state)} />
        {undone !== undefined && (
          <State of={undone} tone={undone === 'done' ? 'off' : toneOf(undone)}>
            {undone === 'done' ? 'undone' : `undo ${undone}`}
          </State>
        )}
        <small class="quiet">
          {[
            ran && duration(ran.ms),
            attempts > 1 && `${attempts} attempts`,
            step.items && itemWords(step.items),
            step.more_bars !== undefined && `${step.more_bars} more not shown`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
      </span>
      <span class="track" aria-hidden="true">
        {bars.map((one, index) => (
          <BarMark key={index} placed={one} isAround={step.items !== undefined && one.bar.item === undefined} />
        ))}
      </span>
    </>
  );
}

/** The bar of a step that has items stands pale behind theirs. */
function BarMark({ placed: { bar, left, wide, ms }, isAround }: { placed: Placed; isAround: boolean }) {
  const what = bar.item === undefined ? '' : `item ${bar.item + 1} `;
  const title = `${what}${bar.phase === 'undo' ? 'undo ' : ''}${bar.state}, ${duration(ms)}`;
  return (
    <span
      class={`mark ${toneOf(bar.state)} ${bar.phase} ${isAround ? 'around' : bar.item === undefined ? '' : 'item'}`}
      title={title}
      style={{ left: `${left}%`, width: `${wide}%` }}
    />
  );
}

const itemWords = (items: Readonly<Record<string, number>>): string =>
  Object.entries(items)
    .map(([state, count]) => `${count} ${state}`)
    .join(', ');
