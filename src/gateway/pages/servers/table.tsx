import { useQuery } from '../../../console/client/data.ts';
import { linkTo } from '../../../console/client/pages.ts';
import { Ago, count, duration } from '../../../console/client/ui/ago.tsx';
import { Empty } from '../../../console/client/ui/empty.tsx';
import { Search, Tabs } from '../../../console/client/ui/fields.tsx';
import { State } from '../../../console/client/ui/state.tsx';
import { type Column, Table } from '../../../console/client/ui/table.tsx';
import { Soon } from './soon.tsx';
import { chosen, groups, inGroup, isGroup, type Server, type ServerList, stateOf } from './server.ts';

/** All servers, or those that somebody looks for. */
export function ServerTable({ servers, add }: ServerList) {
  const [query, change] = useQuery();
  if (servers.length === 0)
    return (
      <Empty title="No servers yet">
        {add.may ? 'Add one here, or list' : 'List'} servers under <code>mcpServers</code> in <code>sluice.yaml</code>:
        they start at once. <code>sluice import</code> takes over those of other clients.
      </Empty>
    );
  const group = isGroup(query.state) ? query.state : 'all';
  const shown = chosen(servers, query.q ?? '', group);
  return (
    <>
      <div class="bar">
        <Search label="Search servers" value={query.q ?? ''} onSearch={(q) => change({ q })} pauseMs={0} />
        <Tabs
          label="Which servers"
          tabs={groups.map(([id, words]) => [id, `${words} ${inGroup(servers, id).length}`])}
          chosen={group}
          onChoose={(id) => change({ state: id === 'all' ? undefined : id })}
        />
      </div>
      {shown.length === 0 ? (
        <Empty title="No server fits">
          <button type="button" class="plain" onClick={() => change({ q: undefined, state: undefined })}>
            Show all servers
          </button>
        </Empty>
      ) : (
        <div class="server-table">
          <Table label="Servers" rows={shown} keyOf={({ name }) => name} columns={columns} />
        </div>
      )}
    </>
  );
}

const LONGEST = 160;

const columns: readonly Column<Server>[] = [
  {
    title: 'Server',
    cell: ({ name, description }) => (
      <div>
        <a href={linkTo('servers', [name])}>
          <bdi>{name}</bdi>
        </a>
        {description !== undefined && (
          <small class="quiet server-note">
            <bdi>{cut(description)}</bdi>
          </small>
        )}
      </div>
    ),
  },
  { title: 'State', cell: (server) => <How server={server} /> },
  { title: 'Tools', number: true, cell: ({ tools }) => count(tools) },
  { title: 'Calls', number: true, cell: ({ calls }) => (calls === undefined ? '–' : count(calls)) },
  {
    title: 'Median',
    number: true,
    cell: ({ p50Ms }) => (p50Ms === undefined ? '–' : duration(p50Ms)),
  },
  { title: '95 % within', number: true, cell: ({ p95Ms }) => (p95Ms === undefined ? '–' : duration(p95Ms)) },
  { title: 'Restarts', number: true, cell: ({ restarts }) => count(restarts) },
];

function How({ server }: { server: Server }) {
  const { state, since, lastError, retryAt, needsLogin, held } = server;
  const { word, tone } = stateOf(server);
  const isTrouble = !needsLogin && state !== 'RUNNING' && state !== 'OFF' && lastError !== undefined;
  return (
    <div>
      <State of={state} tone={tone}>
        {word}
      </State>{' '}
      <span class="quiet">
        <Ago at={since} />
      </span>
      {held !== undefined && (
        <small class="server-note warn">
          {held} changed {held === 1 ? 'tool waits' : 'tools wait'} for you
        </small>
      )}
      {isTrouble && (
        <small class="server-note">
          <bdi>{cut(lastError.message)}</bdi>
          {retryAt !== undefined && (
            <span class="quiet">
              {' '}
              Next try: <Soon at={retryAt} />
            </span>
          )}
        </small>
      )}
    </div>
  );
}

const cut = (text: string): string => {
  const line = text.split('\n')[0] ?? '';
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
};
