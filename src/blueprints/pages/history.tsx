import { get } from '../../console/client/api.ts';
import { useQuery } from '../../console/client/data.ts';
import { usePaged } from '../../console/client/paged.ts';
import { linkTo } from '../../console/client/pages.ts';
import { Ago, duration } from '../../console/client/ui/ago.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Choice } from '../../console/client/ui/fields.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { Table } from '../../console/client/ui/table.tsx';
import { By } from './by.tsx';
import type { RunHead } from './shapes.ts';
import { toneOf } from './words.ts';

interface Answer {
  readonly runs: readonly RunHead[];
  readonly cursor?: string;
}

const states = ['waiting', 'running', 'succeeded', 'failed', 'unknown', 'cancelled', 'undoing', 'undone'] as const;

/** How often the list looks for newer ones. */
const NEWS_MS = 10_000;

interface Props {
  /** Of this definition; without one, all runs. */
  readonly name?: string;
  /** Changes when there is a new one. */
  readonly fresh?: number;
  /** What to do if there are none. */
  readonly hint?: string;
}

/** Runs, the newest first. */
export function History({ name, fresh = 0, hint = 'Open a blueprint and deploy it.' }: Props) {
  const [{ state = '' }, change] = useQuery();
  const paged = usePaged<RunHead, { items: readonly RunHead[]; next?: string | undefined }>(
    async (cursor, signal) => {
      const asked = new URLSearchParams({
        ...(name !== undefined && { name }),
        ...(state !== '' && { state }),
        ...(cursor !== undefined && { cursor }),
      });
      const answer = await get<Answer>(`api/v1/blueprint-runs?${asked}`, signal);
      return { items: answer.runs, next: answer.cursor };
    },
    [name, state, fresh],
    NEWS_MS,
  );
  return (
    <>
      <div class="bar">
        <Choice
          label="State"
          value={state}
          options={[['', 'All'], ...states.map((one) => [one, one] as const)]}
          onChoose={(next) => change({ state: next })}
        />
      </div>
      <Loaded data={paged.first} waiting="Reading the runs …">
        {() =>
          paged.items.length === 0 ? (
            state === '' ? (
              <Empty title="Nothing ran yet">{hint}</Empty>
            ) : (
              <Empty title={`No run is ${state}`}>Choose another state.</Empty>
            )
          ) : (
            <Table
              label="Runs"
              rows={paged.items}
              keyOf={({ run }) => run}
              columns={name === undefined ? [...columns.slice(0, 1), blueprint, ...columns.slice(1)] : columns}
            />
          )
        }
      </Loaded>
      {paged.hasMore && (
        <button type="button" onClick={paged.more}>
          Show older runs
        </button>
      )}
    </>
  );
}

const blueprint = { title: 'Blueprint', cell: ({ name }: RunHead) => <bdi>{name}</bdi> };

const columns = [
  {
    title: 'Run',
    cell: ({ run }: RunHead) => (
      <a href={linkTo('blueprints', ['runs', run])}>
        <bdi>{run}</bdi>
      </a>
    ),
  },
  {
    title: 'State',
    cell: ({ state, waits_for, error }: RunHead) => (
      <div>
        <State of={state} tone={toneOf(state)} />
        {(waits_for ?? error) !== undefined && (
          <small class="quiet clamp">
            <bdi>{waits_for === undefined ? error : `waits for ${waits_for}`}</bdi>
          </small>
        )}
      </div>
    ),
  },
  { title: 'Deployed', cell: ({ created_at }: RunHead) => <Ago at={created_at} /> },
  { title: 'By', cell: ({ deployed_by }: RunHead) => <By id={deployed_by} /> },
  {
    title: 'Took',
    cell: ({ created_at, ended_at }: RunHead) =>
      ended_at === undefined ? '–' : duration(Math.max(0, Date.parse(ended_at) - Date.parse(created_at))),
  },
];
