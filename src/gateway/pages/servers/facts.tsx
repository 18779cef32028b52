import { State } from '../../../console/client/ui/state.tsx';
import { origins, type ServerDetail } from './server.ts';

const shared: ReadonlyMap<string, string> = new Map([
  ['shared', 'All callers share its connections'],
  ['session', 'Each session has a connection of its own'],
  ['principal', 'Each key or user has a connection of its own'],
]);

/** How a server is set up. */
export function ServerFacts({ server }: { server: ServerDetail }) {
  const { runs, origin, isolation, replicas, prefix, protocol, tags, urls, noise, leftOut, remove } = server;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Where', runs],
    ['From', origins[origin]],
    ['Connections', `${shared.get(isolation) ?? isolation}${replicas > 1 ? `, ${replicas} of them` : ''}`],
    ['Names', prefix === '' ? 'Its tools have no prefix' : `Its tools begin with ${prefix}__`],
    ['Protocol', protocol],
    ['Tags', tags.length > 0 ? tags.join(', ') : undefined],
    ['Noise', noise === undefined ? undefined : `${noise} messages that are not MCP were ignored`],
    ['To remove it', remove.may ? undefined : remove.why],
  ];
  return (
    <section class="card server-part" aria-label="Set up">
      <h2>Set up</h2>
      <dl class="pairs">
        {facts.map(([name, value]) =>
          value === undefined
            ? null
            : [
                <dt key={`${name} name`}>{name}</dt>,
                <dd key={name}>
                  <bdi>{value}</bdi>
                </dd>,
              ],
        )}
      </dl>
      {urls && (
        <ul class="server-urls">
          {urls.map(({ url, state, lastError }) => (
            <li key={url}>
              <State of={state} /> <bdi>{url}</bdi>
              {lastError !== undefined && (
                <small class="server-note">
                  <bdi>{lastError}</bdi>
                </small>
              )}
            </li>
          ))}
        </ul>
      )}
      {leftOut && (
        <details open>
          <summary>Sluice cannot use some of what it offers</summary>
          <ul>
            {leftOut.map((line, index) => (
              <li key={index}>
                <bdi>{line}</bdi>
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
