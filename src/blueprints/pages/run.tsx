import { useSignal } from '@preact/signals';
import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { Ago, duration } from '../../console/client/ui/ago.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { Tree } from '../../console/client/ui/tree.tsx';
import { settled } from './bars.ts';
import { Drawing } from './drawing.tsx';
import { flowOfRun } from './flow.ts';
import { useRunChanges } from './follow-run.ts';
import { RunActions } from './run-actions.tsx';
import { RunStepDetail } from './run-step.tsx';
import { RunTimeline } from './run-timeline.tsx';
import type { Timeline } from './shapes.ts';
import { isOpen, toneOf } from './words.ts';

/** Bars grow, and a proxy may hold back the stream. */
const SLOW_MS = 10_000;

/** A run as it goes: its timeline, its drawing, and what one can do about it. */
export function RunPage({ id }: { id: string }) {
  const stays = useSignal(false);
  const data = useData<Timeline>(
    async (signal) => settled(await get(`api/v1/blueprint-runs/${encodeURIComponent(id)}/timeline`, signal)),
    [],
    stays.value ? undefined : SLOW_MS,
  );
  const run = data.value;
  if (run) stays.value = !isOpen(run.state);
  const chosen = useSignal<string | undefined>(undefined);
  useRunChanges(id, run !== undefined && isOpen(run.state), data.reload);
  const choose = (step: string) => (chosen.value = step === chosen.value ? undefined : step);
  const step = run?.steps.find((one) => one.step === chosen.value);
  return (
    <Page title={<bdi>{id}</bdi>} lead={run && <Lead run={run} />}>
      <Loaded data={data} waiting="Reading the run …">
        {(value) => (
          <>
            <WaitWords run={value} />
            {value.error !== undefined && !isOpen(value.state) && (
              <p class={value.state === 'failed' ? 'problem' : 'banner'}>
                <bdi>{value.error}</bdi>
              </p>
            )}
            <RunActions run={value} onDone={data.reload} />
            <h2>Timeline</h2>
            <RunTimeline run={value} chosen={chosen.value} onChoose={choose} />
            {step && <RunStepDetail key={step.step} run={value} step={step} />}
            <h2>Drawing</h2>
            <Drawing
              label={`The steps of ${value.name}`}
              deps={[value.steps]}
              flow={(columns) => flowOfRun(value.steps, columns)}
              chosen={chosen.value}
              onChoose={choose}
            />
            <Values title="Inputs" values={value.inputs} />
            <Values title="Outputs" values={value.outputs ?? {}} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Lead({ run }: { run: Timeline }) {
  const { name, state, deployed_by, acts_as, acts_as_name, created_at, ended_at, progress, parent, schedule, trace } =
    run;
  return (
    <span class="traits">
      <State of={state} tone={toneOf(state)} />
      <span>
        {progress.done} of {progress.total} steps
      </span>
      <a href={linkTo('blueprints', [name])}>
        <bdi>{name}</bdi>
      </a>
      <span>
        deployed <Ago at={created_at} /> by{' '}
        <bdi title={deployed_by}>{(acts_as === undefined ? acts_as_name : undefined) ?? deployed_by}</bdi>
        {acts_as !== undefined && (
          <>
            , goes on as <bdi title={acts_as}>{acts_as_name ?? acts_as}</bdi>
          </>
        )}
      </span>
      {ended_at !== undefined && (
        <span>took {duration(Math.max(0, Date.parse(ended_at) - Date.parse(created_at)))}</span>
      )}
      {schedule !== undefined && <a href={linkTo('blueprints', [], { tab: 'schedules' })}>by a schedule</a>}
      {parent !== undefined && <a href={linkTo('blueprints', ['runs', parent])}>called by another run</a>}
      <a href={linkTo('activity', ['trace', trace])}>its calls in Activity</a>
    </span>
  );
}

/** What it waits for. */
function WaitWords({ run: { waits } }: { run: Timeline }) {
  if (!waits) return null;
  const { until } = waits;
  return (
    <div class="banner" role="status">
      <Waits waits={waits} />
      {until !== undefined && (
        <>
          {' '}
          Until <time dateTime={until}>{new Date(until).toLocaleString()}</time> (<Ago at={until} />
          ).
        </>
      )}
    </div>
  );
}

function Waits({ waits }: { waits: NonNullable<Timeline['waits']> }) {
  const step = <bdi>{waits.step}</bdi>;
  switch (waits.for) {
    case 'approval':
      return (
        <>
          {step} waits for a person: <bdi>{waits.question}</bdi>
          {waits.arguments !== undefined && <Tree value={waits.arguments} open={2} />}
        </>
      );
    case 'rights':
      return (
        <>
          {step} lacks rights: <bdi>{waits.reason}</bdi> Somebody who has them can resume it.
        </>
      );
    case 'blueprint':
      return (
        <>
          {step} waits for{' '}
          {waits.runs?.map((run, index) => (
            <span key={run}>
              {index > 0 && ', '}
              <a href={linkTo('blueprints', ['runs', run])}>
                <bdi>{run}</bdi>
              </a>
            </span>
          ))}
          .
        </>
      );
    case 'retry':
      return <>{step} failed and is tried again.</>;
    case 'event':
      return <>{step} waits for an event.</>;
    default:
      return <>{step} waits.</>;
  }
}

function Values({ title, values }: { title: string; values: Readonly<Record<string, unknown>> }) {
  if (Object.keys(values).length === 0) return null;
  return (
    <>
      <h2>{title}</h2>
      <Tree value={values} open={2} />
    </>
  );
}
