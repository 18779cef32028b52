import { call } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { count } from '../../console/client/ui/ago.tsx';
import type { Overview } from './answers.ts';
import { counted } from './counted.ts';
import type { Instance } from './instances.tsx';
import { instanceLink, placeOf } from './places.ts';
import { OfInstance } from './section.tsx';

/** It reads all workflows. */
const EVERY_MS = 30_000;

/** How an n8n is doing, with what to look at first. */
export function InstanceOverview({ instance }: { instance: Instance }) {
  const { name, state } = instance;
  const data = useData(
    (signal) => call<Overview>('n8n_get_overview', { instance: name }, { signal }),
    [name, state],
    EVERY_MS,
  );
  return (
    <OfInstance instance={instance} data={data} waiting="Asking n8n how it is doing …">
      {(overview) => (
        <>
          <Figures instance={name} overview={overview} />
          <LookAt instance={name} overview={overview} />
          {(overview.credentials?.missing?.length ?? 0) > 0 && (
            <section class="card">
              <h2>Credentials that are used but missing</h2>
              <ul>
                {overview.credentials?.missing?.map((one) => (
                  <li key={`${one.type} ${one.name}`}>
                    <bdi>{one.name}</bdi> <span class="quiet">({one.type})</span>
                    {one.live > 0 && `, in ${counted(one.live, 'live workflow')}`}
                  </li>
                ))}
              </ul>
            </section>
          )}
          {overview.notes?.map((note) => (
            <p key={note} class="quiet">
              <bdi>{note}</bdi>
            </p>
          ))}
        </>
      )}
    </OfInstance>
  );
}

function Figures({ instance, overview: { workflows, executions } }: { instance: string; overview: Overview }) {
  const figures: [label: string, value: number, query: Record<string, string>, bad?: boolean][] = [
    ...(workflows
      ? ([
          ['live workflows', workflows.live, { view: 'workflows', state: 'live' }],
          ['not live', workflows.not_live, { view: 'workflows', state: 'off' }],
          ['archived', workflows.archived, { view: 'workflows', state: 'archived' }],
          ['failing now', workflows.failing ?? 0, { view: 'failures' }, (workflows.failing ?? 0) > 0],
        ] as const satisfies typeof figures)
      : []),
    ...(executions
      ? ([
          ['ok in 24 h', executions.succeeded, { view: 'executions', status: 'success' }],
          ['failed in 24 h', executions.failed, { view: 'failures' }, executions.failed > 0],
          ['running', executions.running, { view: 'executions', status: 'running' }],
          ['waiting', executions.waiting, { view: 'executions', status: 'waiting' }],
        ] as const satisfies typeof figures)
      : []),
  ];
  return (
    <ul class="n8n-figures" aria-label="Numbers">
      {figures.map(([label, value, query, bad]) => (
        <li key={label}>
          <a href={instanceLink(instance, query)} class={bad ? 'bad' : ''}>
            <b>{count(value)}</b> <span>{label}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

function LookAt({ instance, overview: { look_at: items } }: { instance: string; overview: Overview }) {
  if (items.length === 0) return <p>Nothing stands out: no failures, nothing stuck, nothing missing.</p>;
  return (
    <section class="card">
      <h2>Look at this first</h2>
      <ol class="n8n-look">
        {items.map(({ why, tool, arguments: args }, index) => {
          const place = placeOf(instance, tool, args);
          return (
            <li key={index}>
              {place === undefined ? (
                <bdi>{why}</bdi>
              ) : (
                <a href={place}>
                  <bdi>{why}</bdi>
                </a>
              )}
            </li>
          );
        })}
      </ol>
    </section>
  );
}
