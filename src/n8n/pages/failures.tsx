import { useSignal } from '@preact/signals';
import { call } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { may } from '../../console/client/session.ts';
import { Ago, count } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { Tree } from '../../console/client/ui/tree.tsx';
import { adviceFor } from './advice.ts';
import type { Execution, FailureGroup, Failures } from './answers.ts';
import { counted } from './counted.ts';
import { doing } from './doing.ts';
import type { Instance } from './instances.tsx';
import { workflowLink } from './places.ts';
import { OfInstance } from './section.tsx';
import { Tabs } from './tabs.tsx';

const EVERY_MS = 15_000;
const periods = [
  ['24h', 'Last day'],
  ['7d', 'Last week'],
  ['30d', 'Last month'],
] as const;

/** What failed, grouped by workflow, node and cause. */
export function ListOfFailures({ instance }: { instance: Instance }) {
  const [{ since: asked }, change] = useQuery();
  const since = periods.some(([name]) => name === asked) ? (asked as string) : '24h';
  const { name, state } = instance;
  const data = useData(
    (signal) => call<Failures>('n8n_list_failures', { instance: name, since, limit: 200 }, { signal }),
    [name, since, state],
    EVERY_MS,
  );
  return (
    <>
      <div class="bar">
        <Tabs
          label="Period"
          names={periods}
          chosen={since}
          choose={(next) => change({ since: next === '24h' ? undefined : next })}
        />
      </div>
      <OfInstance instance={instance} data={data} waiting="Reading what failed, and why …">
        {({ failed, groups, more, note }) =>
          groups.length === 0 ? (
            <Empty title="Nothing failed in this period">Choose a longer one to look further back.</Empty>
          ) : (
            <>
              <p class="quiet">
                {counted(failed, 'failed execution')}, {counted(groups.length + (more ?? 0), 'cause')}. The most
                frequent comes first.
              </p>
              {groups.map((group) => (
                <Group key={`${group.workflow} ${group.node} ${group.cause}`} instance={name} group={group} />
              ))}
              {more !== undefined && (
                <p class="quiet">{counted(more, 'more cause')} not shown: choose a shorter period.</p>
              )}
              {note !== undefined && <p class="quiet">{note}</p>}
            </>
          )
        }
      </OfInstance>
    </>
  );
}

function Group({ instance, group }: { instance: string; group: FailureGroup }) {
  const open = useSignal(false);
  return (
    <section class="card n8n-failure">
      <h3>
        <bdi>{group.cause}</bdi>
      </h3>
      <p>
        <a
          href={workflowLink(instance, group.workflow, { run: group.example, ...(group.node && { node: group.node }) })}
        >
          <bdi>{group.name ?? group.workflow}</bdi>
        </a>
        {group.node !== undefined && (
          <>
            {' '}
            at <bdi>{group.node}</bdi>
          </>
        )}
        {group.http_status !== undefined && <span class="quiet"> · HTTP {group.http_status}</span>}
      </p>
      <p class="quiet">
        <b>{group.count === 1 ? 'Once' : `${count(group.count)} times`}</b>, last <Ago at={group.last} />
        {group.count > 1 && (
          <>
            , first <Ago at={group.first} />
          </>
        )}
      </p>
      <p>{adviceFor(group)}</p>
      <div class="actions">
        <button type="button" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
          {open.value ? 'Hide the details' : 'Details'}
        </button>
        {may('n8n:execute') && (
          <button type="button" onClick={() => void retry(instance, group)}>
            Retry the last one
          </button>
        )}
      </div>
      {open.value && <Digest instance={instance} id={group.example} />}
    </section>
  );
}

/** The newest failure of a group: where, why, and with which input. */
function Digest({ instance, id }: { instance: string; id: string }) {
  const data = useData((signal) => call<Execution>('n8n_get_execution', { instance, id }, { signal }), [instance, id]);
  return (
    <Loaded data={data} waiting="Reading the newest failure …">
      {({ error }) =>
        error ? <ErrorDetails error={error} /> : <p class="quiet">n8n keeps no error of execution {id}.</p>
      }
    </Loaded>
  );
}

export function ErrorDetails({ error }: { error: NonNullable<Execution['error']> }) {
  return (
    <div class="n8n-digest">
      <pre>
        <bdi>{[error.message, error.description, ...(error.details ?? [])].filter(Boolean).join('\n')}</bdi>
      </pre>
      {(error.line !== undefined || error.item !== undefined) && (
        <p class="quiet">
          {error.line !== undefined && `Line ${error.line} of the code. `}
          {error.item !== undefined && `At item ${error.item}.`}
        </p>
      )}
      {error.input !== undefined && (
        <>
          <h3>
            Its input
            {error.from !== undefined && (
              <>
                {' '}
                from <bdi>{error.from}</bdi>
              </>
            )}
          </h3>
          <Tree value={error.input} open={2} />
        </>
      )}
    </div>
  );
}

function retry(instance: string, { example, name, workflow }: FailureGroup): Promise<void> {
  return doing(async () => {
    const text = (
      <>
        <bdi>{name ?? workflow}</bdi> runs again from the node that failed, with the data it had. Nodes that send or
        change something do it again.
      </>
    );
    const question = { title: `Retry execution ${example}?`, yes: 'Retry' };
    if ((await confirmed({ ...question, text })) === undefined) return undefined;
    const done = await callAsking<{ status: string }>('n8n_retry_execution', { instance, id: example }, question);
    return done && `The retry of execution ${example} ended: ${done.status}.`;
  });
}
