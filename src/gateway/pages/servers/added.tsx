import { get } from '../../../console/client/api.ts';
import { useData } from '../../../console/client/data.ts';
import { linkTo } from '../../../console/client/pages.ts';
import { Away } from '../../../console/client/ui/link.tsx';
import { State } from '../../../console/client/ui/state.tsx';
import { adviceFor, type ServerDetail, stateOf } from './server.ts';

export interface AddedAnswer {
  readonly name: string;
  readonly state: string;
  readonly tools: number;
  readonly error?: string;
}

const EVERY_MS = 2000;

/** What became of a server that was just added. It follows until the server runs. */
export function Added({ answer, another }: { answer: AddedAnswer; another: () => void }) {
  const { name } = answer;
  const path = `api/v1/servers/${encodeURIComponent(name)}`;
  const { value } = useData<ServerDetail>((signal) => get(path, signal), [path], EVERY_MS);
  const runs = (value?.state ?? answer.state) === 'RUNNING';
  const tools = value?.tools ?? answer.tools;
  const error = value ? value.lastError?.message : answer.error;
  return (
    <section class="card server-part server-form" role="status">
      <p>
        {value ? (
          <State of={value.state} tone={stateOf(value).tone}>
            {stateOf(value).word}
          </State>
        ) : (
          <State of={answer.state} />
        )}{' '}
        <b>
          <bdi>{name}</bdi>
        </b>{' '}
        {runs
          ? `was added and runs. It has ${tools} ${tools === 1 ? 'tool' : 'tools'}.`
          : 'was added, but does not run yet.'}
      </p>
      {!runs && error !== undefined && !value?.needsLogin && (
        <p>
          <bdi class="server-error">{error}</bdi>
        </p>
      )}
      {!runs && value && <p>{adviceFor(value).next?.replaceAll('`', '')}</p>}
      {value?.login !== undefined && (
        <p class="server-login">
          <Away to={value.login}>Sign in to {name}</Away>
        </p>
      )}
      <p class="actions">
        <a class="button main" href={linkTo('servers', [name])}>
          Open {name}
        </a>
        <button type="button" onClick={another}>
          Add another
        </button>
      </p>
    </section>
  );
}
