import { useSignal } from '@preact/signals';
import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { may } from '../../console/client/session.ts';
import { count } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import type { Whole } from '../routes/shapes.ts';
import { counted } from './counted.ts';
import { doing } from './doing.ts';
import { workflowLink } from './places.ts';

const FIRST = 100;

/** What is in a backup of a whole n8n. Its workflows can be restored one by one. */
export function WholeContents({ instance, backup }: { instance: string; backup: string }) {
  const most = useSignal(FIRST);
  const data = useData(
    (signal) => get<Whole>(`api/v1/n8n/whole-backup?${new URLSearchParams({ backup }).toString()}`, signal),
    [backup],
  );
  return (
    <Loaded data={data} waiting="Reading what is in it …">
      {({ workflows, tags, credentials, dataTables }) => (
        <>
          <p class="quiet">
            {counted(workflows.length, 'workflow')}, {counted(tags.length, 'tag')},{' '}
            {counted(dataTables.length, 'data table')}, and the names of {counted(credentials.length, 'credential')}{' '}
            (n8n never shows their values).
          </p>
          <ul>
            {workflows.slice(0, most.value).map((one) => (
              <li key={one.id}>
                {one.state === 'deleted' ? (
                  <bdi>{one.name}</bdi>
                ) : (
                  <a href={workflowLink(instance, one.id)}>
                    <bdi>{one.name}</bdi>
                  </a>
                )}{' '}
                <span class="quiet">
                  {counted(one.nodes, 'node')}
                  {one.active && ', was live'}
                  {one.archived && ', was archived'}
                  {one.state === 'deleted' && ', now deleted'}
                </span>{' '}
                {may('n8n:write') && (
                  <button type="button" class="plain" onClick={() => void restore(instance, backup, one, data.reload)}>
                    Restore …
                  </button>
                )}
              </li>
            ))}
          </ul>
          {workflows.length > most.value && (
            <button type="button" onClick={() => (most.value += 10 * FIRST)}>
              Show more of {count(workflows.length)}
            </button>
          )}
        </>
      )}
    </Loaded>
  );
}

function restore(
  instance: string,
  backup: string,
  { id, name, state }: Whole['workflows'][number],
  changed: () => Promise<void>,
): Promise<void> {
  return doing(async () => {
    const text =
      state === 'deleted' ? (
        <>
          <bdi>{name}</bdi> comes back as it was. It is not published.
        </>
      ) : (
        <>
          The draft of <bdi>{name}</bdi> is replaced by what is in this backup. A backup of the draft is taken first.
          What is live stays live.
        </>
      );
    const question = { title: 'Restore this workflow?', yes: 'Restore' };
    if ((await confirmed({ ...question, text })) === undefined) return undefined;
    if (!(await callAsking('n8n_restore_workflow', { instance, backup, workflow: id }, question))) return undefined;
    await changed();
    return `"${name}" is restored.`;
  });
}
