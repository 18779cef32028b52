import { useSignal } from '@preact/signals';
import { get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { may } from '../../console/client/session.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { AsOf } from '../../console/client/ui/as-of.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { Tree } from '../../console/client/ui/tree.tsx';
import { Crumbs } from './crumbs.tsx';
import { Drawing } from './drawing.tsx';
import { EditEntity } from './edit-entity.tsx';
import { Observations } from './observations.tsx';
import { PathForm } from './path.tsx';
import { Relations } from './relations.tsx';
import type { Entity } from './shapes.ts';

/** An entity: what is around it, drawn, and everything that is known about it. */
export function EntityView({ name }: { name: string }) {
  const [{ as_of, relations = '500' }, change] = useQuery();
  const editing = useSignal(false);
  const asked = JSON.stringify([name, as_of]);
  const data = useData<{ readonly asked: string; readonly entity: Entity }>(
    async (signal) => {
      const query = new URLSearchParams({ name, relations, ...(as_of !== undefined && { as_of }) });
      return { asked, entity: await get<Entity>(`api/v1/graph-entity?${query}`, signal) };
    },
    [name, as_of, relations],
  );
  // Who walks on sees where they were until the next one is there, but not if there is none.
  const isCurrent = data.value?.asked === asked;
  const entity = data.error && !isCurrent ? undefined : data.value?.entity;
  // The past is to look at.
  const mayWrite = isCurrent && as_of === undefined && may('graph:write');

  async function remove(): Promise<void> {
    const asking = { title: 'Delete this entity?', yes: 'Delete it for good' };
    if (!(await callAsking('graph_delete_entities', { names: [name] }, asking))) return;
    say('The entity is deleted, with its observations and relations.');
    change({ entity: undefined, trail: undefined, depth: undefined, relations: undefined }, true);
  }

  async function end(): Promise<void> {
    const asking = { title: 'Is it over?', yes: 'It is over' };
    if (!(await callAsking('graph_end', { entities: [name] }, asking))) return;
    say('It has ended now. Earlier times still show it.');
    await data.reload();
  }

  return (
    <Page
      title={<bdi>{name}</bdi>}
      lead={<Crumbs name={name} type={isCurrent ? entity?.type : undefined} />}
      actions={
        mayWrite && (
          <>
            <button type="button" onClick={() => (editing.value = true)}>
              Edit
            </button>
            <Action run={end} title="It stays, with the time at which it ended">
              No longer there
            </Action>
            <Action kind="danger" run={remove}>
              Delete …
            </Action>
          </>
        )
      }
    >
      <Loaded data={{ ...data, value: entity }} waiting="Reading the entity …">
        {(whole) => <Drawing entity={whole} />}
      </Loaded>
      <div class="bar">
        <AsOf value={as_of} since={entity?.recorded_at} onChange={(next) => change({ as_of: next })} />
      </div>
      {entity && (
        <>
          <Relations
            key={`relations of ${entity.name}`}
            entity={entity}
            mayWrite={mayWrite}
            reload={data.reload}
            all={relations === '500' ? () => change({ relations: '2000' }) : undefined}
          />
          <Observations
            key={`facts about ${entity.name}`}
            entity={entity}
            asOf={as_of}
            mayWrite={mayWrite}
            reload={data.reload}
          />
          <div class="cards">
            <section class="card">
              <h2>Properties</h2>
              {Object.keys(entity.properties).length > 0 ? (
                <Tree value={entity.properties} open={2} />
              ) : (
                <p class="quiet">None.</p>
              )}
            </section>
            <section class="card">
              <h2>Where it comes from</h2>
              <dl class="pairs">
                <dt>Recorded</dt>
                <dd>
                  <Ago at={entity.recorded_at} />
                </dd>
                {entity.valid_from !== undefined && [
                  <dt key="since">There since</dt>,
                  <dd key="since time">
                    <Ago at={entity.valid_from} />
                  </dd>,
                ]}
                {entity.valid_to !== undefined && [
                  <dt key="until">There until</dt>,
                  <dd key="until time">
                    <Ago at={entity.valid_to} />
                  </dd>,
                ]}
                {entity.by && [
                  <dt key="by">By</dt>,
                  <dd key="by whom">
                    <bdi>{entity.by.client ?? entity.by.principal}</bdi>
                  </dd>,
                ]}
                {entity.by?.call !== undefined && [
                  <dt key="call">In the call</dt>,
                  <dd key="call id">
                    <a href={linkTo('activity', [], { trace: entity.by.call })}>
                      <code>{entity.by.call}</code>
                    </a>
                  </dd>,
                ]}
              </dl>
            </section>
          </div>
          <PathForm key={`ways from ${entity.name}`} from={entity.name} />
          {editing.value && (
            <EditEntity key={entity.name} entity={entity} reload={data.reload} close={() => (editing.value = false)} />
          )}
        </>
      )}
    </Page>
  );
}
