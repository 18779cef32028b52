import { useLocation } from 'preact-iso/router';
import { useEffect } from 'preact/hooks';
import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import type { PageProps } from '../../console/client/pages.ts';
import { Loaded, Page } from '../../console/client/ui/page.tsx';
import { Waiting } from '../../console/client/ui/waiting.tsx';
import type { Instances, Run } from '../drawing/shapes.ts';
import { InstancePage } from './instance.tsx';
import { NoInstance, ListOfInstances } from './instances.tsx';
import { workflowLink } from './places.ts';
import { WorkflowPage } from './workflow.tsx';

const EVERY_MS = 8000;

/** n8n: its instances, one of them, or one workflow. */
export default function N8n({ rest }: PageProps) {
  const data = useData((signal) => get<Instances>('api/v1/n8n', signal), [], EVERY_MS);
  const [name, kind, id] = rest;
  const known = data.value?.instances ?? [];
  const chosen = name === undefined && known.length === 1 ? known[0] : known.find((one) => one.name === name);
  if (chosen && kind === 'workflow' && id !== undefined) return <WorkflowPage key={id} instance={chosen} id={id} />;
  if (chosen && kind === 'execution' && id !== undefined) return <ToExecution instance={chosen.name} id={id} />;
  if (chosen) return <InstancePage key={chosen.name} instance={chosen} isOnly={known.length === 1} />;
  return (
    <Page title="n8n" lead="The connected n8n, what runs there, and what fails.">
      <Loaded data={data} waiting="Asking which n8n are connected …">
        {(found) =>
          found.instances.length === 0 ? (
            <NoInstance local={found.local} />
          ) : (
            <ListOfInstances instances={found.instances} missing={name} />
          )
        }
      </Loaded>
    </Page>
  );
}

/** Goes on to the workflow of an execution. */
function ToExecution({ instance, id }: { instance: string; id: string }) {
  const { route } = useLocation();
  const data = useData(
    (signal) =>
      get<Run>(`api/v1/n8n/${encodeURIComponent(instance)}/executions/${encodeURIComponent(id)}/drawing`, signal),
    [instance, id],
  );
  useEffect(() => {
    if (!data.value) return;
    const base = new URL(document.baseURI).pathname;
    route(base + workflowLink(instance, data.value.workflow, { run: id }), true);
  }, [data.value]);
  return (
    <Page title={`Execution ${id}`}>
      <Loaded data={data} waiting="Looking for the workflow of this execution …">
        {() => <Waiting>Opening its workflow …</Waiting>}
      </Loaded>
    </Page>
  );
}
