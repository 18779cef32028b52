import { useSignal } from '@preact/signals';
import { ask, Failed, failureIn, get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { may } from '../../console/client/session.ts';
import { createLines } from '../../console/client/sse.ts';
import { Ago, count, size } from '../../console/client/ui/ago.tsx';
import { asking } from '../../console/client/ui/asking.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { Table } from '../../console/client/ui/table.tsx';
import type { Kept } from '../routes/shapes.ts';
import { counted } from './counted.ts';
import { doing } from './doing.ts';
import type { Instance } from './instances.tsx';
import { workflowLink } from './places.ts';
import { WholeContents } from './whole-backup.tsx';

/** Reading the backups asks n8n for all of its workflows. */
const EVERY_MS = 60_000;
const FIRST = 200;

/** Which backups there are of an n8n, and how to make one of all of it. They are known also while n8n is away. */
export function Backups({ instance: { name, state } }: { instance: Instance }) {
  const data = useData(
    (signal) => get<Kept>(`api/v1/n8n/backups?${new URLSearchParams({ instance: name }).toString()}`, signal),
    [name, state],
    EVERY_MS,
  );
  return (
    <>
      {may('n8n:write') && <BackUpAll instance={name} changed={data.reload} />}
      <Loaded data={data} waiting="Reading the backups …">
        {(kept) => (
          <>
            {kept.notes.map((note) => (
              <p key={note} class="warn">
                <bdi>{note}</bdi>
              </p>
            ))}
            <Places kept={kept} />
            <Whole instance={name} kept={kept} />
            <OfWorkflows instance={name} kept={kept} />
          </>
        )}
      </Loaded>
    </>
  );
}

function Places({ kept: { disk, s3 } }: { kept: Kept }) {
  return (
    <dl class="pairs">
      {disk && (
        <>
          <dt>On disk</dt>
          <dd>
            <code>{disk.directory}</code>, {limits(disk)}
            {disk.git !== undefined && (
              <>
                . For git: <code>{disk.git}</code>
              </>
            )}
          </dd>
        </>
      )}
      {s3 && (
        <>
          <dt>S3</dt>
          <dd>
            <bdi>
              {s3.bucket}/{s3.prefix}
            </bdi>{' '}
            ({s3.mode}), {limits(s3)}
          </dd>
        </>
      )}
    </dl>
  );
}

const limits = ({ keep, days }: { keep: number; days?: number | undefined }): string =>
  `the last ${keep} automatic ones of each workflow${days === undefined ? '' : `, at most ${days} days`}`;

interface Progress {
  readonly progress?: number;
  readonly total?: number;
  readonly message?: string;
}

function BackUpAll({ instance, changed }: { instance: string; changed: () => Promise<void> }) {
  const state = useSignal<Progress | undefined>(undefined);
  const press = () =>
    doing(async () => {
      state.value = {};
      try {
        const done = await asking((confirm) => backUp(instance, confirm, (now) => (state.value = now)), {
          title: 'Back up this n8n?',
          yes: 'Back up',
        });
        if (!done) return undefined;
        await changed();
        return `Backed up ${counted(done.workflows, 'workflow')} (${count(done.changed)} changed) and ${counted(done.data_tables, 'data table')}.`;
      } finally {
        state.value = undefined;
      }
    });
  const now = state.value;
  return (
    <div class="bar">
      <button type="button" class="main" disabled={now !== undefined} onClick={() => void press()}>
        {now === undefined ? 'Back up this n8n now' : 'Backing up …'}
      </button>
      {now !== undefined && (
        <span role="status" class="quiet">
          {now.message ?? 'Reading workflows, tags and tables …'}
          {now.progress !== undefined &&
            ` ${count(now.progress)}${now.total === undefined ? '' : ` of ${count(now.total)}`}`}
        </span>
      )}
    </div>
  );
}

interface Done {
  readonly workflows: number;
  readonly changed: number;
  readonly data_tables: number;
}

interface Refused {
  readonly code: string;
  readonly message: string;
  readonly confirm?: string;
  readonly waits?: string;
  readonly by?: string;
}

async function backUp(instance: string, confirm: string | undefined, tell: (now: Progress) => void): Promise<Done> {
  const response = await ask('api/v1/n8n/backups', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ instance, ...(confirm !== undefined && { confirm }) }),
  });
  if (!response.ok || !response.body) throw failureIn(response, await response.text());
  let done: Done | undefined;
  let failed: Refused | undefined;
  const lines = createLines(({ event, data }) => {
    if (event === 'progress') tell(JSON.parse(data) as Progress);
    else if (event === 'done') done = JSON.parse(data) as Done;
    else if (event === 'failed') failed = JSON.parse(data) as Refused;
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    // A connection that breaks off ends the stream as well.
    const part = await reader.read().catch(() => undefined);
    if (!part || part.done) break;
    lines(decoder.decode(part.value, { stream: true }));
  }
  if (done) return done;
  const { message, by, ...why } = failed ?? {
    code: 'failed',
    message: 'The connection ended before the backup was complete.',
  };
  throw new Failed(message, { ...why, status: response.status, needsPerson: by === 'person' });
}

function Whole({ instance, kept: { whole } }: { instance: string; kept: Kept }) {
  const open = useSignal<string | undefined>(undefined);
  return (
    <section>
      <h2>Backups of all of it</h2>
      {whole.length === 0 && <p class="quiet">There is none yet.</p>}
      <ul class="n8n-plain">
        {whole.map(({ id, taken, bytes, where }) => (
          <li key={id} class="card">
            <button
              type="button"
              class="plain"
              aria-expanded={open.value === id}
              onClick={() => (open.value = open.value === id ? undefined : id)}
            >
              <Ago at={taken} />
            </button>{' '}
            <span class="quiet">
              {size(bytes)}, {where.join(' and ')}
            </span>
            {open.value === id && <WholeContents instance={instance} backup={id} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

const stateWords = { present: 'in n8n', archived: 'archived', deleted: 'deleted', unknown: 'unknown' } as const;
const stateTones = { present: 'good', archived: 'off', deleted: 'warn', unknown: 'off' } as const;

function OfWorkflows({ instance, kept: { workflows } }: { instance: string; kept: Kept }) {
  const most = useSignal(FIRST);
  return (
    <section>
      <h2>Workflows with backups</h2>
      {workflows.length === 0 ? (
        <Empty title="No workflow has a backup yet">
          Sluice takes one before it changes or deletes a workflow. A workflow's page takes one at any time.
        </Empty>
      ) : (
        <Table
          label="Workflows with backups"
          rows={workflows.slice(0, most.value)}
          keyOf={({ id }) => id}
          columns={[
            {
              title: 'Workflow',
              cell: ({ id, name }) => (
                <a href={workflowLink(instance, id, { view: 'versions' })}>
                  <bdi>{name}</bdi>
                </a>
              ),
            },
            { title: 'State', cell: ({ state }) => <State of={stateWords[state]} tone={stateTones[state]} /> },
            { title: 'Newest', cell: ({ newest }) => <Ago at={newest.taken} /> },
            { title: 'Backups', number: true, cell: ({ backups }) => count(backups) },
          ]}
        />
      )}
      {workflows.length > most.value && (
        <button type="button" onClick={() => (most.value += FIRST)}>
          Show more of {count(workflows.length)}
        </button>
      )}
    </section>
  );
}
