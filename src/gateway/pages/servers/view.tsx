import { useLocation } from 'preact-iso/router';
import { get } from '../../../console/client/api.ts';
import { type Data, useData } from '../../../console/client/data.ts';
import { linkTo } from '../../../console/client/pages.ts';
import { refreshWaiting } from '../../../console/client/waiting.ts';
import { Ago } from '../../../console/client/ui/ago.tsx';
import { callAsking } from '../../../console/client/ui/asking.tsx';
import { Action } from '../../../console/client/ui/fields.tsx';
import { Away } from '../../../console/client/ui/link.tsx';
import { say } from '../../../console/client/ui/notice.tsx';
import { Loaded, Page } from '../../../console/client/ui/page.tsx';
import { State } from '../../../console/client/ui/state.tsx';
import { ChangedTools } from './changed-tools.tsx';
import { adviceFor, type ServerDetail, stateOf } from './server.ts';
import { ServerCalls } from './calls.tsx';
import { ServerErrors } from './errors.tsx';
import { ServerFacts } from './facts.tsx';
import { ServerTools } from './tools.tsx';
import { Soon } from './soon.tsx';
import { StderrTail } from './stderr-tail.tsx';

const EVERY_MS = 5000;

/** One server: how it is doing, what it wrote, and what one can do about it. */
export function ServerView({ name }: { name: string }) {
  const path = `api/v1/servers/${encodeURIComponent(name)}`;
  const data = useData<ServerDetail>((signal) => get(path, signal), [path], EVERY_MS);
  return (
    <Page
      title={<bdi>{name}</bdi>}
      lead={
        <>
          <a href={linkTo('servers')}>All servers</a>
          {data.value?.description !== undefined && (
            <>
              {' · '}
              <bdi>{data.value.description}</bdi>
            </>
          )}
        </>
      }
      actions={data.value && <Actions server={data.value} data={data} />}
    >
      <Loaded data={data} waiting="Asking how the server is doing …">
        {(server) => (
          <>
            <Now server={server} />
            <ChangedTools server={server} changed={() => data.reload()} />
            {isDown(server) && <StderrTail stderr={server.stderr} />}
            <div class="server-halves">
              <ServerFacts server={server} />
              <ServerCalls server={server} />
            </div>
            <ServerErrors server={server} />
            {!isDown(server) && server.transport === 'stdio' && <StderrTail stderr={server.stderr} />}
            <ServerTools name={name} known={`${server.state} ${server.tools}`} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

/** Then one wants to read first what it wrote. */
const isDown = ({ state, transport }: ServerDetail): boolean => state === 'FAILED' && transport === 'stdio';

function Now({ server }: { server: ServerDetail }) {
  const { state, since, lastError, retryAt, needsLogin, login } = server;
  const { word, tone } = stateOf(server);
  const { says, next } = adviceFor(server);
  return (
    <section class="card server-part" aria-label="State">
      <p>
        <State of={state} tone={tone}>
          {word}
        </State>{' '}
        <span class="quiet">
          <Ago at={since} />
        </span>
      </p>
      <p>
        {says} {next !== undefined && <Code text={next} />}
      </p>
      {login !== undefined && (
        <p class="server-login">
          <Away to={login}>Sign in to {server.name}</Away>
        </p>
      )}
      {lastError && state !== 'OFF' && !needsLogin && (
        <p class={state === 'RUNNING' ? 'quiet' : ''}>
          Last error, <Ago at={lastError.at} />: <bdi class="server-error">{lastError.message}</bdi>
        </p>
      )}
      {retryAt !== undefined && (
        <p class="quiet">
          Next try: <Soon at={retryAt} />
        </p>
      )}
    </section>
  );
}

/** Our own sentence; what stands between backticks is code. */
function Code({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}

function Actions({ server, data }: { server: ServerDetail; data: Data<ServerDetail> }) {
  const { route } = useLocation();
  const { name, restart, remove } = server;

  async function restarted(): Promise<void> {
    const title = `Restart ${name}?`;
    const answer = await callAsking<{ state: string; error?: string }>(
      'gateway_restart_server',
      { name },
      { title, yes: 'Restart' },
    );
    await Promise.all([data.reload(), refreshWaiting()]);
    if (answer?.error !== undefined) say(`${name} was restarted, but does not run: ${answer.error}`, true);
    else if (answer) say(`${name} was restarted. It is ${answer.state.toLowerCase()}.`);
  }

  async function removed(): Promise<void> {
    const title = `Remove ${name}?`;
    const answer = await callAsking<{ removed: boolean }>('gateway_remove_server', { name }, { title, yes: 'Remove' });
    if (!answer) return;
    say(`${name} was removed.`);
    route(new URL(linkTo('servers'), document.baseURI).pathname);
  }

  return (
    <>
      {restart.may && (
        <Action run={restarted} title="Stops it and starts it again. Its tools stay listed.">
          Restart
        </Action>
      )}
      {remove.may && (
        <Action run={removed} kind="danger">
          Remove
        </Action>
      )}
    </>
  );
}
