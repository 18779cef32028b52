import { get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { hasSource, may } from '../../console/client/session.ts';
import { Search, Tabs } from '../../console/client/ui/fields.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { DefinitionTable } from './definition-table.tsx';
import { History } from './history.tsx';
import { Projects } from './projects.tsx';
import { Schedules } from './schedules.tsx';
import type { Listing } from './shapes.ts';

const FRESH_MS = 15_000;

/** Everything that can be deployed, what ran, what is due, and projects. */
export function Lists() {
  const [{ tab = 'blueprints', q = '' }, change] = useQuery();
  const listing = useData<Listing>((signal) => get('api/v1/blueprint-definitions', signal), [], FRESH_MS);
  const all = listing.value?.definitions ?? [];
  const count = (kind: string) => (listing.value ? ` (${all.filter((one) => one.kind === kind).length})` : '');
  const hasProjects = hasSource('project') && may('project:read');
  return (
    <Page
      title="Blueprints"
      lead="What is set up in several steps, and how it went."
      actions={
        may('blueprint:write') && (
          <a class="button" href={linkTo('blueprints', [], { new: '1' })}>
            New blueprint
          </a>
        )
      }
    >
      <div class="bar">
        <Tabs
          label="What to show"
          chosen={tab}
          onChoose={(id) => change({ tab: id === 'blueprints' ? undefined : id, q: undefined, state: undefined }, true)}
          tabs={[
            ['blueprints', `Blueprints${count('blueprint')}`],
            ...(hasSource('recipe') ? [['recipes', `Recipes${count('recipe')}`] as const] : []),
            ['runs', 'Runs'],
            ['schedules', 'Schedules'],
            ...(hasProjects ? [['projects', 'Projects'] as const] : []),
          ]}
        />
        {(tab === 'blueprints' || tab === 'recipes') && (
          <Search
            label="Search by name, description, origin"
            value={q}
            pauseMs={0}
            onSearch={(text) => change({ q: text })}
          />
        )}
      </div>
      {tab === 'runs' && <History />}
      {tab === 'schedules' && <Schedules />}
      {tab === 'projects' && hasProjects && <Projects />}
      {(tab === 'blueprints' || tab === 'recipes') && (
        <Loaded data={listing} waiting="Reading the definitions …">
          {(value) => <DefinitionTable listing={value} kind={tab === 'recipes' ? 'recipe' : 'blueprint'} query={q} />}
        </Loaded>
      )}
    </Page>
  );
}
