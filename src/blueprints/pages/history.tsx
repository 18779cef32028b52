import { useSignal } from '@preact/signals';
import { get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { Ago, duration } from '../../console/client/ui/ago.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Action, Choice } from '../../console/client/ui/fields.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { Table } from '../../console/client/ui/table.tsx';
import type { RunHead } from './shapes.ts';
import { toneOf } from './words.ts';

interface Answer {
  readonly runs: readonly RunHead[];
  readonly cursor?: string;
}

const states = ['waiting', 'running', 'succeeded', 'failed', 'unknown', 'cancelled', 'undoing', 'undone'] as const;

/** Runs, the newest first: of one definition, or all. `fresh` changes when there is a new one. */
export function History({ name, fresh = 0 }: { name?: string; fresh?: number }) {
  const [{ state = '' }, change] = useQuery();
  const older = useSignal<readonly RunHead[]>([]);
  const cursor = useSignal<string | undefined>(undefined);
  const page = (signal?: AbortSignal, from?: string) => {
    const asked = new URLSearchParams({
      ...(name !== undefined && { name }),
      ...(state !== '' && { state }),
      ...(from !== undefined && { cursor: from }),
    });
    return get<Answer>(`api/v1/blueprint-runs?${asked}`, signal);
  };
  const first = useData<Answer>(
    async (signal) => {
      const answer = await page(signal);
      older.value = [];
      cursor.value = answer.cursor;
      return answer;
    },
    [name, state, fresh],
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
        <Action run={() => first.reload()}>Refresh</Action>
      </div>
      <Loaded data={first} waiting="Reading the runs …">
        {({ runs }) =>
          runs.length === 0 ? (
            <Empty title={state === '' ? 'Nothing ran yet' : `No run is ${state}`}>
              {state === '' && (name === undefined ? 'Open a blueprint and deploy it.' : 'Deploy it above.')}
            </Empty>
          ) : (
            <Table
              label="Runs"
              rows={[...runs, ...older.value]}
              keyOf={({ run }) => run}
              columns={name === undefined ? [...columns.slice(0, 1), blueprint, ...columns.slice(1)] : columns}
            />
          )
        }
      </Loaded>
      {cursor.value !== undefined && (
        <Action
          run={async () => {
            const answer = await page(undefined, cursor.value);
            older.value = [...older.value, ...answer.runs];
            cursor.value = answer.cursor;
          }}
        >
          Show older runs
        </Action>
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
  { title: 'By', cell: ({ deployed_by }: RunHead) => <bdi>{deployed_by}</bdi> },
  {
    title: 'Took',
    cell: ({ created_at, ended_at }: RunHead) =>
      ended_at === undefined ? '–' : duration(Math.max(0, Date.parse(ended_at) - Date.parse(created_at))),
  },
];
