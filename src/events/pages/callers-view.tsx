import { useSignal } from '@preact/signals';
import { type Query, useData } from '../../console/client/data.ts';
import { Ago, count } from '../../console/client/ui/ago.tsx';
import { Caller } from '../../console/client/ui/caller.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { Table } from '../../console/client/ui/table.tsx';
import { callersIn } from './callers.ts';
import type { Event } from './event.ts';
import { pagesOf } from './exporting.ts';
import { filterOf } from './filters.ts';

const MOST_COUNTED = 20_000;
const MOST_SHOWN = 200;
const AGAIN_MS = 15_000;
/** Counting many calls keeps the gateway busy: it is repeated after so many times as long as it took. */
const PAUSE = 50;

interface CallersProps {
  readonly query: Query;
  readonly change: (change: Query, push?: boolean) => void;
}

/** Who called which tool, how often, and how often it failed. */
export function Callers({ query, change }: CallersProps) {
  // Only ends of calls count; the other filters stay.
  const filter = filterOf({ ...query, type: 'tool.*' });
  const pause = useSignal(AGAIN_MS);
  const data = useData(
    async (signal) => {
      const begun = performance.now();
      const events: Event[] = [];
      let isWhole = false;
      for await (const page of pagesOf(filter, MOST_COUNTED, signal)) {
        for (const event of page.events) events.push(event);
        isWhole = page.isLast;
      }
      const rows = callersIn(events);
      pause.value = Math.max(AGAIN_MS, PAUSE * (performance.now() - begun));
      return { rows, isWhole, since: events.at(-1)?.timestamp };
    },
    [filter],
    pause.value,
  );
  return (
    <Loaded data={data} waiting="Counting calls …">
      {({ rows, isWhole, since }) =>
        rows.length === 0 ? (
          <Empty title="No calls in this period">Choose a longer one, or remove filters.</Empty>
        ) : (
          <section class="callers">
            <p class="quiet">
              {count(rows.reduce((sum, { calls }) => sum + calls, 0))} calls
              {!isWhole && since !== undefined && (
                <>
                  {' '}
                  since <Ago at={since} />: only the newest {count(MOST_COUNTED)} events are counted.{' '}
                  <code>sluice usage</code> counts all
                </>
              )}
              {rows.length > MOST_SHOWN && `, the first ${MOST_SHOWN} of ${count(rows.length)} pairs`}
            </p>
            <Table
              label="Who called what"
              rows={rows.slice(0, MOST_SHOWN)}
              keyOf={({ principal, tool }) => `${principal}\0${tool}`}
              columns={[
                {
                  title: 'Caller',
                  cell: ({ principal }) => (
                    <button type="button" class="plain" onClick={() => change({ principal }, true)}>
                      <Caller id={principal} />
                    </button>
                  ),
                },
                {
                  title: 'Tool',
                  cell: ({ principal, tool }) => (
                    <button
                      type="button"
                      class="plain"
                      title="Show these calls"
                      onClick={() => change({ principal, tool, view: undefined }, true)}
                    >
                      <bdi>{tool}</bdi>
                    </button>
                  ),
                },
                { title: 'Calls', number: true, cell: ({ calls }) => count(calls) },
                {
                  title: 'Failed',
                  number: true,
                  cell: ({ principal, tool, failed }) =>
                    failed === 0 ? (
                      '0'
                    ) : (
                      <button
                        type="button"
                        class="plain bad"
                        onClick={() => change({ principal, tool, status: 'failure', view: undefined }, true)}
                      >
                        {count(failed)}
                      </button>
                    ),
                },
                { title: 'Last', cell: ({ last }) => <Ago at={last} /> },
              ]}
            />
          </section>
        )
      }
    </Loaded>
  );
}
