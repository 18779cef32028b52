import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useData } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { count, duration } from '../../console/client/ui/ago.tsx';
import { Copy } from '../../console/client/ui/copy.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import type { Event } from './event.ts';
import { EventDetails } from './event-details.tsx';
import { Export } from './export.tsx';
import { pagesOf } from './exporting.ts';
import { filterOf } from './filters.ts';
import { lightEvent } from './light-event.ts';
import { clockText } from './moment.tsx';
import { traceCommand } from './trace-command.ts';
import { executionsIn, isDuring, linesOf, unknownIn } from './trace-lines.ts';
import { useRuns } from './use-runs.ts';
import { extent, spansIn } from './waterfall.ts';
import { Waterfall } from './waterfall.tsx';

const MOST = 5000;
const AGAIN_MS = 5000;

/** One trace: everything that one call caused. */
export default function TracePage({ id }: { id: string }) {
  const filter = filterOf({ trace: id });
  const command = traceCommand(id);
  const isOpen = useSignal(false);
  const data = useData(
    async (signal) => {
      const events: Event[] = [];
      let isWhole = false;
      for await (const page of pagesOf(filter, MOST, signal, { order: 'asc' })) {
        for (const event of page.events) events.push(lightEvent(event));
        isWhole = page.isLast;
      }
      const spans = spansIn(events);
      isOpen.value = events.length === 0 || spans.some(({ start, end }) => start !== undefined && end === undefined);
      return { events, spans, isWhole };
    },
    [id],
    isOpen.value ? AGAIN_MS : undefined,
  );
  return (
    <Page
      title="Trace"
      lead={
        <code>
          <bdi>{id}</bdi>
        </code>
      }
      actions={
        <>
          {command !== undefined && <Copy text={command}>Copy the command</Copy>}
          <Export key={filter} filter={filter} />
        </>
      }
    >
      <p>
        <a href={linkTo('activity')}>All activity</a> ·{' '}
        <a href={linkTo('activity', [], { trace: id })}>These events as a list</a>
      </p>
      <Loaded data={data} waiting="Loading the trace …">
        {({ events, spans, isWhole }) =>
          events.length === 0 ? (
            <Empty title="No events of this trace">
              They are older than what is kept, or the call was not recorded. It may be in the log.
            </Empty>
          ) : (
            <Trace events={events} spans={spans} isWhole={isWhole} />
          )
        }
      </Loaded>
    </Page>
  );
}

interface TraceProps {
  readonly events: readonly Event[];
  readonly spans: ReturnType<typeof spansIn>;
  readonly isWhole: boolean;
}

function Trace({ events, spans, isWhole }: TraceProps) {
  const whole = extent(spans);
  const { runs, missing } = useRuns(executionsIn(events), (started) => isDuring(whole, started));
  const lines = useMemo(() => linesOf(spans, runs), [spans, runs]);
  const chosen = useSignal<Event | undefined>(undefined);
  const failures = events.filter(({ status }) => status === 'failure').length;
  const unknown = unknownIn(lines, missing);
  return (
    <>
      <p>
        {whole && `${clockText(whole.from)}, ${duration(whole.to - whole.from)}, `}
        {events.length === 1 ? 'one event' : `${count(events.length)} events`}
        {failures > 0 && (
          <>
            ,{' '}
            <b class="bad">
              {count(failures)} {failures === 1 ? 'failure' : 'failures'}
            </b>
          </>
        )}
        {!isWhole && `. Only the first ${count(MOST)} events are shown`}
      </p>
      <Waterfall lines={lines} choose={(event) => (chosen.value = event)} />
      {unknown.length > 0 && (
        <section class="quiet">
          <h2>What is not known</h2>
          <ul>
            {unknown.map((one) => (
              <li key={one}>
                <bdi>{one}</bdi>
              </li>
            ))}
          </ul>
        </section>
      )}
      {chosen.value && (
        <EventDetails
          key={chosen.value.id}
          id={String(chosen.value.id)}
          known={chosen.value}
          close={() => (chosen.value = undefined)}
        />
      )}
    </>
  );
}
