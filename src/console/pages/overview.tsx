import { get } from '../client/api.ts';
import { type Data, useData } from '../client/data.ts';
import { linkTo } from '../client/pages.ts';
import { may } from '../client/session.ts';
import { count } from '../client/ui/ago.tsx';
import { Loaded, Page } from '../client/ui/page.tsx';
import { State } from '../client/ui/state.tsx';
import { waitingCount } from '../client/waiting.ts';
import { Busy } from './busy.tsx';
import { ChangedToday } from './changed-today.tsx';
import { FirstSteps } from './first-steps.tsx';
import { HealthLines } from './health-lines.tsx';
import type { Status } from './status.ts';
import { NeedsYou } from './needs-you.tsx';

const EVERY_MS = 5000;

/** Whether everything is all right, what needs somebody, and what happened. */
export default function Overview() {
  const status = useData<Status>((signal) => get('api/v1/status', signal), [], EVERY_MS);
  return (
    <Page title="Overview" lead={<Lead status={status} />}>
      <Loaded data={status} waiting="Asking the gateway how it is doing …">
        {(known) => (
          <>
            <FirstSteps status={known} />
            <Busy status={known} />
            <div class="overview">
              <div>
                <NeedsYou />
                <HealthLines status={known} />
              </div>
              <ChangedToday />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Lead({ status: { value } }: { status: Data<Status> }) {
  const waits = waitingCount.value;
  if (!value) return null;
  const { state, problems, tools, backends } = value;
  return (
    <>
      <State of={state} tone={state === 'ok' ? 'good' : state === 'degraded' ? 'warn' : 'bad'}>
        {state === 'ok' ? 'everything works' : `${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`}
      </State>{' '}
      {waits > 0 && <>{waits === 1 ? 'One thing waits' : `${waits} things wait`} for a person. </>}
      {may('tools:read') ? <a href={linkTo('tools')}>{count(tools)} tools</a> : `${count(tools)} tools`}
      {backends.length > 0 && (
        <>
          {' '}
          from <a href={linkTo('servers')}>{backends.length === 1 ? 'one server' : `${backends.length} servers`}</a> and
          Sluice itself
        </>
      )}
      .
    </>
  );
}
