import { call } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { usePaged } from '../../console/client/paged.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { Table } from '../../console/client/ui/table.tsx';

interface Project {
  readonly name: string;
  readonly description?: string;
  readonly items: number;
  readonly changed_at: string;
}

interface Item {
  readonly kind: string;
  readonly name: string;
  readonly instance?: string;
  readonly state: string;
  readonly seen: string;
  readonly next?: string;
}

interface Status {
  readonly project: string;
  readonly state: string;
  readonly items: readonly Item[];
  readonly next?: string;
  readonly cursor?: string;
}

/** Projects, and how everything in one of them is doing. */
export function Projects() {
  const [{ project }, change] = useQuery();
  const paged = usePaged<Project, { items: readonly Project[]; next?: string | undefined }>(async (cursor, signal) => {
    const args = cursor === undefined ? {} : { cursor };
    const answer = await call<{ projects: readonly Project[]; cursor?: string }>('project_list_projects', args, {
      signal,
    });
    return { items: answer.projects, next: answer.cursor };
  });
  if (project !== undefined) return <ProjectStatus name={project} back={() => change({ project: undefined }, true)} />;
  return (
    <Loaded data={paged.first} waiting="Reading the projects …">
      {() =>
        paged.items.length === 0 ? (
          <Empty title="No projects yet">
            A project names workflows, containers, databases and servers that belong together. Ask your assistant to
            create one: it uses <code>project_create</code> and <code>project_add</code>.
          </Empty>
        ) : (
          <>
            <Table
              label="Projects"
              rows={paged.items}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: 'Project',
                  cell: ({ name, description }) => (
                    <div>
                      <button type="button" class="plain" onClick={() => change({ project: name }, true)}>
                        <bdi>{name}</bdi>
                      </button>
                      {description !== undefined && (
                        <small class="quiet clamp">
                          <bdi>{description}</bdi>
                        </small>
                      )}
                    </div>
                  ),
                },
                { title: 'Items', cell: ({ items }) => items, number: true },
                { title: 'Changed', cell: ({ changed_at }) => <Ago at={changed_at} /> },
              ]}
            />
            {paged.hasMore && (
              <button type="button" onClick={paged.more}>
                Show more
              </button>
            )}
          </>
        )
      }
    </Loaded>
  );
}

const PAGES = 20;

function ProjectStatus({ name, back }: { name: string; back: () => void }) {
  const status = useData(
    async (signal) => {
      let all: Status | undefined;
      let cursor: string | undefined;
      for (let page = 0; page < PAGES; page++) {
        const answer = await call<Status>(
          'project_status',
          { name, ...(cursor !== undefined && { cursor }) },
          { signal },
        );
        all = all ? { ...all, items: [...all.items, ...answer.items] } : answer;
        cursor = answer.cursor;
        if (cursor === undefined) break;
      }
      return all as Status;
    },
    [name],
  );
  return (
    <>
      <div class="bar">
        <button type="button" onClick={back}>
          All projects
        </button>
        <Action run={() => status.reload()}>Ask again</Action>
      </div>
      <h2>
        <bdi>{name}</bdi> {status.value && <State of={status.value.state} tone={tone(status.value.state)} />}
      </h2>
      <Loaded data={status} waiting="Asking everything that belongs to it …">
        {({ items, next }) =>
          items.length === 0 ? (
            <Empty title="The project is empty">{next}</Empty>
          ) : (
            <Table
              label="Items"
              rows={items}
              keyOf={({ kind, name: item, instance = '' }) => `${kind} ${instance} ${item}`}
              columns={[
                {
                  title: 'Item',
                  cell: ({ kind, name: item }) => (
                    <div>
                      <bdi>{item}</bdi> <small class="quiet">{kind}</small>
                    </div>
                  ),
                },
                { title: 'State', cell: ({ state }) => <State of={state} tone={tone(state)} /> },
                { title: 'Seen', cell: ({ seen }) => <bdi>{seen}</bdi> },
                { title: 'What to do', cell: ({ next: what }) => <bdi>{what ?? '–'}</bdi> },
              ]}
            />
          )
        }
      </Loaded>
    </>
  );
}

const tone = (state: string) =>
  state === 'ok' ? 'good' : state === 'failing' ? 'bad' : state === 'warning' ? 'warn' : 'off';
