import { useQuery } from '../../console/client/data.ts';
import { Away } from '../../console/client/ui/link.tsx';
import { Page } from '../../console/client/ui/page.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { linkTo } from '../../console/client/pages.ts';
import { Backups } from './backups.tsx';
import { ListOfExecutions } from './executions.tsx';
import { ListOfFailures } from './failures.tsx';
import { type Instance, Trouble } from './instances.tsx';
import { InstanceOverview } from './overview.tsx';
import { Tabs } from './tabs.tsx';
import { ListOfWorkflows } from './workflows.tsx';

const views = {
  overview: ['Overview', InstanceOverview],
  workflows: ['Workflows', ListOfWorkflows],
  executions: ['Executions', ListOfExecutions],
  failures: ['Failures', ListOfFailures],
  backups: ['Backups', Backups],
} as const;

type ViewName = keyof typeof views;

const isView = (name: string | undefined): name is ViewName => name !== undefined && Object.hasOwn(views, name);

/** One n8n: how it is doing, its workflows, executions, failures and backups. */
export function InstancePage({ instance, isOnly }: { instance: Instance; isOnly: boolean }) {
  const [query, change] = useQuery();
  const view = isView(query.view) ? query.view : 'overview';
  const [, View] = views[view];
  return (
    <Page
      title={
        <>
          {isOnly ? 'n8n' : <bdi>{instance.name}</bdi>} <State of={instance.state} />
        </>
      }
      lead={
        <>
          {instance.version !== undefined && `Version ${instance.version} at `}
          <Away to={instance.url}>{instance.url}</Away>
        </>
      }
      actions={isOnly ? undefined : <a href={linkTo('n8n')}>All n8n</a>}
    >
      <Trouble instance={instance} />
      <Tabs
        label="What to show"
        names={Object.entries(views).map(([name, [title]]) => [name, title] as const)}
        chosen={view}
        choose={(name) =>
          change({ view: name === 'overview' ? undefined : name, status: undefined, q: undefined }, true)
        }
      />
      <View instance={instance} />
    </Page>
  );
}
