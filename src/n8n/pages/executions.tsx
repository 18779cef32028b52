import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { may } from '../../console/client/session.ts';
import { Ago, duration } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Rows } from '../../console/client/ui/rows.tsx';
import { State } from '../../console/client/ui/state.tsx';
import type { Executions, ListedExecution } from './answers.ts';
import { doing } from './doing.ts';
import type { Instance } from './instances.tsx';
import { workflowLink } from './places.ts';
import { rowHeight } from './row-height.ts';
import { OfInstance } from './section.tsx';

const EVERY_MS = 8000;
const PAGE = 50;
const statuses = ['success', 'error', 'crashed', 'running', 'waiting', 'canceled'] as const;

/** Executions of late, the running ones first. */
export function ListOfExecutions({ instance }: { instance: Instance }) {
  const [query, change] = useQuery();
  const status = statuses.find((one) => one === query.status);
  const { name, state } = instance;
  const older = useSignal<Executions | undefined>(undefined);
  const asked = { instance: name, limit: PAGE, ...(status && { status }) };
  const data = useData(
    (signal) => call<Executions>('n8n_list_executions', asked, { signal }),
    [name, status, state],
    EVERY_MS,
  );
  useEffect(() => {
    older.value = undefined;
  }, [name, status]);

  const loading = useSignal(false);
  const more = () => {
    const cursor = older.value ? older.value.cursor : data.value?.cursor;
    if (cursor === undefined || loading.value) return;
    loading.value = true;
    void doing(async () => {
      const next = await call<Executions>('n8n_list_executions', { ...asked, cursor });
      older.value = { ...next, executions: [...(older.value?.executions ?? []), ...next.executions] };
      return undefined;
    }).finally(() => (loading.value = false));
  };

  return (
    <>
      <div class="bar">
        <label class="choice">
          <span>State</span>
          <select value={status ?? ''} onChange={(event) => change({ status: event.currentTarget.value })}>
            <option value="">All</option>
            {statuses.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      </div>
      <OfInstance instance={instance} data={data} waiting="Reading the executions …">
        {({ executions }) => {
          const all = withoutRepeats([...executions, ...(older.value?.executions ?? [])]);
          if (all.length === 0)
            return <Empty title="No executions">n8n lists them here as soon as a workflow runs.</Empty>;
          return (
            <Rows
              label="Executions"
              items={all}
              keyOf={({ id }) => id}
              height={rowHeight()}
              onEnd={more}
              row={(one) => <Row instance={name} execution={one} changed={data.reload} />}
            />
          );
        }}
      </OfInstance>
    </>
  );
}

interface RowProps {
  readonly instance: string;
  readonly execution: ListedExecution;
  readonly changed: () => Promise<void>;
}

function Row({ instance, execution, changed }: RowProps) {
  const { id, workflow, name = workflow, status, started, ms, mode } = execution;
  const goesOn = status === 'running' || status === 'waiting';
  return (
    <div class="n8n-row n8n-runs">
      <State of={status} />
      <a href={workflowLink(instance, workflow, { run: id })} title={name}>
        <bdi>{name}</bdi>
      </a>
      <span class="quiet">
        {id}
        {mode !== undefined && ` · ${mode}`}
      </span>
      <span>
        <Ago at={started} />
        {ms !== undefined && <span class="quiet"> · {duration(ms)}</span>}
        {goesOn && may('n8n:execute') && (
          <button type="button" class="plain" onClick={() => void stop(instance, execution, changed)}>
            Stop
          </button>
        )}
      </span>
    </div>
  );
}

interface Stopped {
  readonly not_stopped?: readonly { readonly why: string }[];
}

function stop(instance: string, { id, name, workflow }: ListedExecution, changed: () => Promise<void>): Promise<void> {
  return doing(async () => {
    const text = (
      <>
        <bdi>{name ?? workflow}</bdi> stops where it is. What its nodes have already done stays done.
      </>
    );
    const question = { title: `Stop execution ${id}?`, yes: 'Stop it' };
    if ((await confirmed({ ...question, text, danger: true })) === undefined) return undefined;
    const done = await callAsking<Stopped>('n8n_stop_execution', { instance, id }, question);
    if (!done) return undefined;
    await changed();
    return done.not_stopped?.[0]?.why ?? `Execution ${id} is stopped.`;
  });
}

function withoutRepeats(all: readonly ListedExecution[]): ListedExecution[] {
  const seen = new Set<string>();
  return all.filter(({ id }) => !seen.has(id) && seen.add(id));
}
