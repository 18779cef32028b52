import { get } from '../../console/client/api.ts';
import { type Data, useData, useQuery } from '../../console/client/data.ts';
import { may } from '../../console/client/session.ts';
import { Ago } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { Away } from '../../console/client/ui/link.tsx';
import { Page } from '../../console/client/ui/page.tsx';
import { State } from '../../console/client/ui/state.tsx';
import type { Drawing } from '../drawing/shapes.ts';
import { doing } from './doing.ts';
import { DrawingView } from './drawing-view.tsx';
import { type Instance, Trouble } from './instances.tsx';
import { instanceLink } from './places.ts';
import { OfInstance } from './section.tsx';
import { Tabs } from './tabs.tsx';
import { Versions } from './versions.tsx';

const EVERY_MS = 15_000;

/** One workflow: drawn, with what ran; and its versions and backups. */
export function WorkflowPage({ instance, id }: { instance: Instance; id: string }) {
  const [query, change] = useQuery();
  const { name, state } = instance;
  const data = useData(
    (signal) =>
      get<Drawing>(`api/v1/n8n/${encodeURIComponent(name)}/workflows/${encodeURIComponent(id)}/drawing`, signal),
    [name, id, state],
    EVERY_MS,
  );
  const isVersions = query.view === 'versions';
  return (
    <Page
      title={<bdi>{data.value?.workflow.name ?? `Workflow ${id}`}</bdi>}
      lead={<Lead instance={instance} drawing={data.value} />}
      actions={data.value && <Actions instance={name} drawing={data.value} changed={data.reload} />}
    >
      <Trouble instance={instance} />
      <Tabs
        label="What to show"
        names={[
          ['drawing', 'Drawing'],
          ['versions', 'Versions and backups'],
        ]}
        chosen={isVersions ? 'versions' : 'drawing'}
        choose={(view) => change({ view: view === 'drawing' ? undefined : view }, true)}
      />
      {isVersions ? (
        <Versions
          instance={instance}
          id={id}
          drawing={data.value}
          isGone={data.error?.code === 'not_found'}
          changed={data.reload}
        />
      ) : (
        <Drawn instance={instance} data={data} />
      )}
    </Page>
  );
}

function Drawn({ instance, data }: { instance: Instance; data: Data<Drawing> }) {
  return (
    <OfInstance instance={instance} data={data} waiting="Reading the workflow …">
      {(drawing) => <DrawingView instance={instance} drawing={drawing} />}
    </OfInstance>
  );
}

function Lead({ instance, drawing }: { instance: Instance; drawing: Drawing | undefined }) {
  const { active, archived, draft, updated, tags = [] } = drawing?.workflow ?? {};
  return (
    <>
      <a href={instanceLink(instance.name, { view: 'workflows' })}>
        <bdi>{instance.name}</bdi>
      </a>
      {drawing && (
        <>
          {' '}
          <State
            of={archived ? 'archived' : active ? 'live' : 'not live'}
            tone={active && !archived ? 'good' : 'off'}
          />
          {draft && ' The draft differs from what is live.'}
          {updated !== undefined && (
            <>
              {' '}
              Saved <Ago at={updated} />.
            </>
          )}
          {tags.length > 0 && (
            <span class="n8n-tags">
              {tags.map((tag) => (
                <bdi key={tag}>{tag}</bdi>
              ))}
            </span>
          )}
        </>
      )}
    </>
  );
}

interface Published {
  readonly publication: { readonly note?: string };
}

interface ActionsProps {
  readonly instance: string;
  readonly drawing: Drawing;
  readonly changed: () => Promise<void>;
}

function Actions({ instance, drawing, changed }: ActionsProps) {
  const { id, name, active, archived, draft } = drawing.workflow;
  const mayWrite = may('n8n:write') && !archived;
  const publish = () =>
    doing(async () => {
      const text = (
        <>
          The draft of <bdi>{name}</bdi> {active ? 'replaces what is live now' : 'goes live: its triggers start it'}.
        </>
      );
      const question = { title: 'Publish this workflow?', yes: 'Publish' };
      if ((await confirmed({ ...question, text })) === undefined) return undefined;
      const done = await callAsking<Published>('n8n_publish_workflow', { instance, id }, question);
      if (!done) return undefined;
      await changed();
      return done.publication.note ?? `"${name}" is live.`;
    });
  const unpublish = () =>
    doing(async () => {
      const text = (
        <>
          The triggers of <bdi>{name}</bdi> stop. Nothing is lost: publish it again at any time.
        </>
      );
      const question = { title: 'Stop this workflow?', yes: 'Unpublish' };
      if ((await confirmed({ ...question, text, danger: true })) === undefined) return undefined;
      if (!(await callAsking('n8n_unpublish_workflow', { instance, id }, question))) return undefined;
      await changed();
      return `"${name}" is not live any more.`;
    });
  return (
    <>
      {mayWrite && (!active || draft) && (
        <button type="button" onClick={() => void publish()}>
          {active ? 'Publish the draft' : 'Publish'}
        </button>
      )}
      {mayWrite && active && (
        <button type="button" onClick={() => void unpublish()}>
          Unpublish
        </button>
      )}
      <Away to={drawing.url}>Open in n8n</Away>
    </>
  );
}
