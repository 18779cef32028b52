import { call } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { Ago, count } from '../../console/client/ui/ago.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Rows } from '../../console/client/ui/rows.tsx';
import { State } from '../../console/client/ui/state.tsx';
import type { Executions, ListedExecution, ListedWorkflow } from './answers.ts';
import type { Instance } from './instances.tsx';
import { workflowLink } from './places.ts';
import { rowHeight } from './row-height.ts';
import { OfInstance } from './section.tsx';
import { fitting, tagsOf } from './workflow-filter.ts';

const EVERY_MS = 30_000;
const PAGE = 250;
const MOST_PAGES = 40;

interface Listed {
  readonly workflows: readonly ListedWorkflow[];
  readonly isCut: boolean;
  /** Undefined if they cannot be read. */
  readonly lastRuns: ReadonlyMap<string, ListedExecution> | undefined;
}

/** All workflows of an n8n, to search. */
export function ListOfWorkflows({ instance }: { instance: Instance }) {
  const [query, change] = useQuery();
  const { name, state } = instance;
  const isArchived = query.state === 'archived';
  const data = useData((signal) => listed(name, isArchived, signal), [name, state, isArchived], EVERY_MS);
  return (
    <>
      <div class="bar">
        <input
          type="search"
          class="search"
          aria-label="Search workflows by name, tag or id"
          placeholder="Name, tag or id"
          value={query.q ?? ''}
          onInput={(event) => change({ q: event.currentTarget.value })}
        />
        <label class="choice">
          <span>State</span>
          <select value={query.state ?? ''} onChange={(event) => change({ state: event.currentTarget.value })}>
            <option value="">Live and others</option>
            <option value="live">Live</option>
            <option value="off">Not live</option>
            <option value="draft">Unpublished changes</option>
            <option value="archived">Archived</option>
          </select>
        </label>
        <label class="choice">
          <span>Tag</span>
          <select value={query.tag ?? ''} onChange={(event) => change({ tag: event.currentTarget.value })}>
            <option value="">All</option>
            {tagsOf(data.value?.workflows ?? [], query.tag).map((tag) => (
              <option key={tag} value={tag}>
                {tag}
              </option>
            ))}
          </select>
        </label>
      </div>
      <OfInstance instance={instance} data={data} waiting="Reading the workflows …">
        {({ workflows, isCut, lastRuns }) => {
          const shown = fitting(workflows, { words: query.q, state: query.state, tag: query.tag });
          if (shown.length === 0)
            return workflows.length === 0 ? (
              <Empty title={isArchived ? 'No workflow is archived' : 'This n8n has no workflows'}>
                {!isArchived && 'Make one in n8n, or ask your assistant to.'}
              </Empty>
            ) : (
              <Empty title="No workflow fits">Search for less, or choose another state or tag.</Empty>
            );
          return (
            <>
              <p class="quiet" role="status">
                {count(shown.length)} of {count(workflows.length)}
                {isCut && ' (the first ones only: search in n8n for others)'}
              </p>
              <Rows
                label="Workflows"
                items={shown}
                keyOf={({ id }) => id}
                height={rowHeight()}
                row={(one) => (
                  <Row instance={name} workflow={one} last={lastRuns && (lastRuns.get(one.id) ?? 'none')} />
                )}
              />
            </>
          );
        }}
      </OfInstance>
    </>
  );
}

interface RowProps {
  readonly instance: string;
  readonly workflow: ListedWorkflow;
  readonly last: ListedExecution | 'none' | undefined;
}

function Row({ instance, workflow, last }: RowProps) {
  const { id, name, active, archived, draft, tags = [] } = workflow;
  return (
    <div class="n8n-row">
      <a href={workflowLink(instance, id)} title={name}>
        <bdi>{name}</bdi>
      </a>
      <span>
        {archived ? (
          <State of="archived" tone="off" />
        ) : (
          <State of={active ? 'live' : 'not live'} tone={active ? 'good' : 'off'} />
        )}
        {draft && <span class="quiet"> draft differs</span>}
      </span>
      <span class="quiet n8n-tags">
        {tags.map((tag) => (
          <bdi key={tag}>{tag}</bdi>
        ))}
      </span>
      <span>
        {last === 'none' ? (
          <span class="quiet">no recent run</span>
        ) : (
          last && (
            <>
              <State of={last.status} /> <Ago at={last.started} />
            </>
          )
        )}
      </span>
    </div>
  );
}

async function listed(instance: string, archived: boolean, signal: AbortSignal): Promise<Listed> {
  // A key may be allowed to see workflows, but no executions.
  const runs = call<Executions>('n8n_list_executions', { instance, limit: PAGE }, { signal }).catch(() => undefined);
  const workflows: ListedWorkflow[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const args = { instance, limit: PAGE, ...(archived && { archived }), ...(cursor !== undefined && { cursor }) };
    const answer = await call<{ workflows: ListedWorkflow[]; cursor?: string }>('n8n_list_workflows', args, { signal });
    workflows.push(...answer.workflows);
    ({ cursor } = answer);
    if (cursor === undefined) break;
  }
  const lastRuns = await lastOf(runs);
  return { workflows, isCut: cursor !== undefined, lastRuns };
}

/** Newest first, so the first of each workflow is its last. */
async function lastOf(runs: Promise<Executions | undefined>): Promise<Listed['lastRuns']> {
  const answer = await runs;
  if (!answer) return undefined;
  const last = new Map<string, ListedExecution>();
  for (const one of answer.executions) if (!last.has(one.workflow)) last.set(one.workflow, one);
  return last;
}
