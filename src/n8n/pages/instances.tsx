import { Copy } from '../../console/client/ui/copy.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Away } from '../../console/client/ui/link.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { Ago } from '../../console/client/ui/ago.tsx';
import type { Instances } from '../drawing/shapes.ts';
import { instanceLink } from './places.ts';

export type Instance = Instances['instances'][number];

const START = 'npm start -- --with-n8n';

/** Nothing is connected: how to connect one. */
export function NoInstance({ local }: { local: Instances['local'] }) {
  if (local)
    return (
      <Empty title={local.state === 'starting' ? 'An n8n is starting' : 'The n8n on this machine does not run'}>
        <bdi>{local.detail ?? 'This page shows it as soon as it answers.'}</bdi>
        {local.lastError && <bdi class="bad"> {local.lastError.message}</bdi>}
        {local.fix !== undefined && <bdi> {local.fix}</bdi>}
      </Empty>
    );
  return (
    <Empty title="No n8n is connected">
      Start Sluice with an n8n of its own: <code>{START}</code> <Copy text={START} />
      <br />
      Or connect yours: set <code>N8N_URL</code> and <code>N8N_API_KEY</code>, then restart Sluice.
    </Empty>
  );
}

export function ListOfInstances({
  instances,
  missing,
}: {
  instances: readonly Instance[];
  missing: string | undefined;
}) {
  return (
    <>
      {missing !== undefined && (
        <p class="warn">
          No n8n is called <bdi>{missing}</bdi>.
        </p>
      )}
      <div class="cards">
        {instances.map((one) => (
          <section key={one.name} class="card">
            <h2>
              <a href={instanceLink(one.name)}>
                <bdi>{one.name}</bdi>
              </a>{' '}
              <State of={one.state} />
            </h2>
            <p class="quiet">
              {one.version !== undefined && `n8n ${one.version} · `}
              <Away to={one.url}>{one.url}</Away>
            </p>
            <Trouble instance={one} />
          </section>
        ))}
      </div>
    </>
  );
}

/** Why an instance is not ready, and what to do about it. */
export function Trouble({ instance: { state, since, lastError, fix, detail } }: { instance: Instance }) {
  if (state === 'ready') return null;
  return (
    <div class="n8n-trouble" role="status">
      <p>
        <b>
          {state === 'starting'
            ? 'It is starting'
            : state === 'degraded'
              ? 'It needs something'
              : 'n8n does not answer'}
        </b>{' '}
        {since !== undefined && (
          <span class="quiet">
            since <Ago at={since} />
          </span>
        )}
      </p>
      {state === 'degraded' && detail !== undefined && <bdi>{detail}</bdi>}
      {lastError && <bdi>{lastError.message}</bdi>}
      {fix !== undefined && (
        <p>
          <bdi>{fix}</bdi>
        </p>
      )}
      {state === 'failing' && <p class="quiet">Sluice keeps asking. Its page shows what was known before.</p>}
    </div>
  );
}
