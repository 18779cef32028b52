import { useSignal } from '@preact/signals';
import { get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { usePaged } from '../../console/client/paged.ts';
import { linkTo } from '../../console/client/pages.ts';
import { may } from '../../console/client/session.ts';
import { count } from '../../console/client/ui/ago.tsx';
import { AsOf } from '../../console/client/ui/as-of.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Search } from '../../console/client/ui/fields.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { Rows } from '../../console/client/ui/rows.tsx';
import { AddEntity } from './add-entity.tsx';
import { PathForm } from './path.tsx';
import type { FoundEntity } from './shapes.ts';

const HEIGHT = 58;
/** How often the list looks for new ones. */
const NEWS_MS = 15_000;

interface Answer {
  readonly items: readonly FoundEntity[];
  readonly next?: string | undefined;
  readonly since?: string | undefined;
}

interface Stats {
  readonly entities: number;
  readonly observations: number;
  readonly relations: number;
  readonly entity_types: readonly { readonly type: string; readonly count: number }[];
}

/** Finds entities by words, and lists all of them. */
export function List() {
  const [{ q, as_of }, change] = useQuery();
  const adding = useSignal(false);
  const at: Readonly<Record<string, string>> = as_of === undefined ? {} : { as_of };
  const stats = useData<Stats>(
    (signal) => get(`api/v1/graph-stats?${new URLSearchParams(at)}`, signal),
    [as_of],
    NEWS_MS,
  );
  const found = usePaged<FoundEntity, Answer>(
    async (after, signal) => {
      if (q !== undefined) {
        const asked = new URLSearchParams({ ...at, query: q, limit: '200' });
        const { entities } = await get<{ entities: FoundEntity[] }>(`api/v1/graph-search?${asked}`, signal);
        return { items: entities };
      }
      const asked = new URLSearchParams({ ...at, ...(after !== undefined && { after }) });
      const page = await get<{ entities: FoundEntity[]; next?: string; since?: string }>(
        `api/v1/graph-entities?${asked}`,
        signal,
      );
      return { items: page.entities, next: page.next, since: page.since };
    },
    [q, as_of],
    q === undefined && as_of === undefined ? NEWS_MS : undefined,
  );
  const since = useSignal<string | undefined>(undefined);
  if (found.first.value?.since !== undefined) since.value = found.first.value.since;
  return (
    <Page
      title="Graph"
      lead={
        stats.value
          ? `${count(stats.value.entities)} entities, ${count(stats.value.relations)} relations, ${count(stats.value.observations)} observations.`
          : 'People, things, and how they are related.'
      }
      actions={
        may('graph:write') && (
          <button type="button" class="main" onClick={() => (adding.value = true)}>
            Add an entity
          </button>
        )
      }
    >
      <div class="bar">
        <Search
          label="Search names, types, facts"
          value={q ?? ''}
          pauseMs={300}
          onSearch={(text) => change({ q: text.trim() })}
        />
        <AsOf value={as_of} since={since.value} onChange={(next) => change({ as_of: next })} />
      </div>
      <Loaded data={found.first} waiting={q === undefined ? 'Reading the graph …' : 'Searching …'}>
        {() =>
          found.items.length === 0 ? (
            <Nothing isFiltered={q !== undefined || as_of !== undefined} clear={() => change({ q: '', as_of: '' })} />
          ) : (
            <>
              <Rows
                label="Entities"
                items={found.items}
                keyOf={({ name }) => name}
                height={HEIGHT}
                onEnd={found.more}
                row={(entity) => <Row entity={entity} asOf={as_of} />}
              />
              {q === undefined && found.items.length > 1 && <PathForm />}
            </>
          )
        }
      </Loaded>
      {adding.value && <AddEntity close={() => (adding.value = false)} />}
    </Page>
  );
}

function Row({ entity: { name, type, observation }, asOf }: { entity: FoundEntity; asOf: string | undefined }) {
  return (
    <div class="entity-row">
      <a href={linkTo('graph', [], { entity: name, ...(asOf !== undefined && { as_of: asOf }) })}>
        <bdi>{name}</bdi>
      </a>
      <small class="quiet">
        <bdi>{type}</bdi>
        {observation !== undefined && (
          <>
            {' · '}
            <bdi>{observation}</bdi>
          </>
        )}
      </small>
    </div>
  );
}

function Nothing({ isFiltered, clear }: { isFiltered: boolean; clear: () => void }) {
  return isFiltered ? (
    <Empty title="No entity fits">
      Try other words, or another time.{' '}
      <button type="button" class="plain" onClick={clear}>
        Show all entities of today
      </button>
    </Empty>
  ) : (
    <Empty title="The graph is empty">
      Tell your assistant “Ada works at Acme, put that into the graph”, or add an entity here.
    </Empty>
  );
}
