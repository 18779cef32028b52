import { call } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { may } from '../../console/client/session.ts';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { count } from '../../console/client/ui/ago.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { counted } from '../../n8n/pages/counted.ts';
import type { BridgedInstance, BridgedWorkflow, Status } from './answers.ts';
import { Candidates } from './candidates.tsx';
import { doing } from './doing.ts';
import { PlanOfBridge } from './plan.tsx';
import { ListOfBridged } from './workflows.tsx';

const EVERY_MS = 12_000;
const MOST_PAGES = 20;

/** n8n's AI tools and workflows as MCP tools: what is planned, what is there, and how to choose. */
export default function Bridge() {
  const data = useData(chosen, [], EVERY_MS);
  const isApplied = data.value?.instances.some(({ applied, generated }) => applied || generated.count > 0) ?? false;
  return (
    <Page
      title="Bridge"
      lead="Workflows and AI tools of your n8n, as tools for every client of Sluice."
      actions={
        may('bridge:write') &&
        isApplied && (
          <button type="button" onClick={() => void removeAll(data.reload)}>
            Remove everything …
          </button>
        )
      }
    >
      <Loaded data={data} waiting="Asking what is bridged …">
        {(status) =>
          status.instances.length === 0 ? (
            <Empty title="No n8n is bridged">
              Connect one first: <a href={linkTo('n8n')}>the page n8n</a> says how.
            </Empty>
          ) : (
            <>
              <div class="cards">
                {status.instances.map((one) => (
                  <OneInstance key={one.instance} instance={one} />
                ))}
              </div>
              <SharedFile file={status.file} />
              <PlanOfBridge status={whatIs(status)} changed={data.reload} />
              <ListOfBridged workflows={status.workflows} changed={data.reload} />
              <Candidates chosen={status.workflows.length} changed={data.reload} />
            </>
          )
        }
      </Loaded>
    </Page>
  );
}

/** Changes when something is chosen, applied or removed. */
const whatIs = ({ instances, workflows }: Status): string =>
  JSON.stringify([
    instances.map(({ applied, generated }) => [applied, generated.count]),
    workflows.map(({ id }) => id),
  ]);

/** Everything that is chosen; what could be chosen is asked for page by page. */
async function chosen(signal: AbortSignal): Promise<Status> {
  const workflows: BridgedWorkflow[] = [];
  let status = await call<Status>('bridge_status', { chosen: true }, { signal });
  workflows.push(...status.workflows);
  for (let page = 1; page < MOST_PAGES && status.cursor !== undefined; page++) {
    status = await call<Status>('bridge_status', { chosen: true, cursor: status.cursor }, { signal });
    workflows.push(...status.workflows);
  }
  return { ...status, workflows };
}

function OneInstance({ instance }: { instance: BridgedInstance }) {
  const { instance: name, applied, problem, listed, broken, generated, others } = instance;
  return (
    <section class="card">
      <h2>
        <a href={linkTo('n8n', [name])}>
          <bdi>{name}</bdi>
        </a>{' '}
        {problem !== undefined ? (
          <State of="failing" />
        ) : (
          <State of={applied ? 'in sync' : 'not applied'} tone={applied ? 'good' : 'off'} />
        )}
      </h2>
      {problem !== undefined && (
        <p class="warn">
          <bdi>{problem}</bdi>
        </p>
      )}
      <p>
        {counted(listed, 'tool')} listed
        {broken > 0 && <span class="bad">, {count(broken)} broken</span>}
      </p>
      <p class="quiet">
        {counted(generated.count, 'workflow')} generated in n8n
        {others !== undefined && others > 0 && `, ${count(others)} by another Sluice`}
      </p>
    </section>
  );
}

function SharedFile({ file }: { file: Status['file'] }) {
  if (!file) return null;
  return (
    <p class={file.state === 'read' ? 'quiet' : 'warn'}>
      The shared file <code>{file.file}</code> is {file.state}
      {file.reason !== undefined && (
        <>
          : <bdi>{file.reason}</bdi>
        </>
      )}
      .
    </p>
  );
}

const removeAll = (changed: () => Promise<void>): Promise<void> =>
  doing(async () => {
    const done = await callAsking<{ removed: unknown[]; more?: number }>(
      'bridge_cleanup',
      {},
      { title: 'Remove everything the bridge made?', yes: 'Remove it' },
    );
    if (!done) return;
    say(`Removed ${counted(done.removed.length + (done.more ?? 0), 'generated workflow')}. Your own are untouched.`);
    await changed();
  });
