import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { linkTo, type PageProps } from '../../console/client/pages.ts';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { AddServer } from './servers/add-server.tsx';
import type { ServerList } from './servers/server.ts';
import { ServerTable } from './servers/table.tsx';
import { ServerView } from './servers/view.tsx';

const EVERY_MS = 5000;

/** No server can be called like this. */
export const ADD = '+add';

/** The servers behind the gateway. */
export default function Servers({ rest: [name] }: PageProps) {
  if (name === ADD) return <AddServer />;
  return name === undefined ? <All /> : <ServerView key={name} name={name} />;
}

function All() {
  const list = useData<ServerList>((signal) => get('api/v1/servers', signal), [], EVERY_MS);
  const mayAdd = list.value?.add.may;
  return (
    <Page
      title="Servers"
      lead="The MCP servers behind this gateway. Problems come first."
      actions={
        mayAdd && (
          <a class="button main" href={linkTo('servers', [ADD])}>
            Add a server
          </a>
        )
      }
    >
      <Loaded data={list} waiting="Asking how the servers are doing …">
        {(value) => <ServerTable {...value} />}
      </Loaded>
    </Page>
  );
}
