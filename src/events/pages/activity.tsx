import lazy from 'preact-iso/lazy';
import type { PageProps } from '../../console/client/pages.ts';
import { useQuery } from '../../console/client/data.ts';
import { useKeyNames } from '../../console/client/key-names.ts';
import { Page } from '../../console/client/ui/page.tsx';
import { Tabs } from '../../console/client/ui/fields.tsx';
import { Callers } from './callers-view.tsx';
import { Export } from './export.tsx';
import { FilterBar } from './filter-bar.tsx';
import { filterOf } from './filters.ts';
import { LiveList } from './live-list.tsx';

/** Most who look at the list look at no trace. */
const TracePage = lazy(() => import('./trace-page.tsx'));

/** What happens in the gateway, and what happened. */
export default function Activity({ rest }: PageProps) {
  const [query, change] = useQuery();
  useKeyNames();
  const [what, id] = rest;
  if (what === 'trace' && id !== undefined) return <TracePage id={id} />;
  const view = query.view === 'callers' ? 'callers' : 'list';
  const filter = filterOf(query);
  return (
    <Page
      title="Activity"
      lead="What is being called, by whom, and what happens to servers, keys and configuration."
      actions={
        <>
          <Tabs
            label="View"
            chosen={view}
            tabs={[
              ['list', 'Events'],
              ['callers', 'Who called what'],
            ]}
            onChoose={(next) => change({ view: next === 'list' ? undefined : next }, true)}
          />
          <Export key={filter} filter={filter} />
        </>
      }
    >
      <FilterBar query={query} change={change} />
      {view === 'callers' ? <Callers query={query} change={change} /> : <LiveList key={filter} filter={filter} />}
    </Page>
  );
}
