import { linkTo, shownPages } from '../client/pages.ts';
import { For, Retry } from '../client/ui/ago.tsx';
import { State } from '../client/ui/state.tsx';
import { waiting } from '../client/waiting.ts';
import { type Line, linesOf, type Status } from './status.ts';

/** A line for each part: how it is, since when, and what to do. */
export function HealthLines({ status }: { status: Status }) {
  const signIns = (waiting.value?.items ?? []).flatMap(({ part, kind, id }) =>
    part === 'servers' && kind === 'sign-in' ? [id.replace('sign-in:', '')] : [],
  );
  const running = status.backends.filter(({ state }) => state === 'RUNNING').length;
  return (
    <section class="card">
      <h2>How it is doing</h2>
      <ul class="health">
        {linesOf(status, new Set(signIns)).map((line) => (
          <HealthLine key={line.key} line={line} />
        ))}
      </ul>
      <p class="quiet">
        {status.backends.length === 0
          ? 'No MCP server is configured.'
          : `${running} of ${status.backends.length} servers ${running === 1 ? 'is' : 'are'} running.`}{' '}
        <a href={linkTo('servers')}>All servers</a>
      </p>
      {status.notConfigured.length > 0 && (
        <details>
          <summary>What else Sluice could connect</summary>
          <dl class="pairs">
            {status.notConfigured.map(({ name, reason }) => [
              <dt key={`${name} name`}>
                <bdi>{name}</bdi>
              </dt>,
              <dd key={name}>
                <bdi>{reason}</bdi>
              </dd>,
            ])}
          </dl>
        </details>
      )}
    </section>
  );
}

function HealthLine({ line }: { line: Line }) {
  const { name, state, tone, since, says, fix, retryAt } = line;
  const address = addressOf(line);
  return (
    <li>
      <State of={state} tone={tone} />
      <div>
        <b>{address === undefined ? name : <a href={address}>{name}</a>}</b>
        {since !== undefined && (
          <span class="quiet">
            {' '}
            <For since={since} />
          </span>
        )}
        {says !== undefined && (
          <p class={tone === 'bad' || tone === 'warn' ? '' : 'quiet'}>
            <bdi>{says}</bdi>
          </p>
        )}
        {fix !== undefined && (
          <p>
            <bdi>{fix}</bdi>
          </p>
        )}
        {retryAt !== undefined && (
          <p class="quiet">
            <Retry at={retryAt} />
          </p>
        )}
      </div>
    </li>
  );
}

function addressOf({ server, kind, isMany }: Line): string | undefined {
  if (isMany) return linkTo('servers', [], { state: 'problems' });
  if (server !== undefined) return linkTo('servers', [server]);
  const page = shownPages.value.find(({ kinds }) => kind !== undefined && kinds?.includes(kind));
  return page && linkTo(page.path);
}
