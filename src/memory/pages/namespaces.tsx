import type { Data } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { may } from '../../console/client/session.ts';
import { Ago, count, size } from '../../console/client/ui/ago.tsx';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { Copy } from '../../console/client/ui/copy.tsx';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Action } from '../../console/client/ui/fields.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { Table } from '../../console/client/ui/table.tsx';
import type { Namespace } from './shapes.ts';

const commands = [
  ['Bring notes in: a memory for each section', 'sluice memory import ~/notes --namespace notes'],
  ['Take everything out, with earlier versions', 'sluice memory export --out memories.jsonl'],
] as const;

/** Whose memories there are, how many, and how to bring them in and out. */
export function Namespaces({ data }: { data: Data<{ namespaces: Namespace[] }> }) {
  async function drop(name: string): Promise<void> {
    const dropped = await callAsking<{ forgotten: number }>(
      'memory_drop_namespace',
      { name },
      { title: `Delete the namespace ${name}?`, yes: 'Delete it with all memories' },
    );
    if (!dropped) return;
    say(`The namespace ${name} is deleted, with ${count(dropped.forgotten)} memories.`);
    await data.reload();
  }

  return (
    <Loaded data={data} waiting="Reading namespaces …">
      {({ namespaces }) => (
        <>
          {namespaces.length === 0 ? (
            <Empty title="No namespaces yet">The first memory makes one, named “default”.</Empty>
          ) : (
            <Table
              label="Namespaces"
              rows={namespaces}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: 'Namespace',
                  cell: ({ name }) => (
                    <a href={linkTo('memory', [], { namespace: name })}>
                      <bdi>{name}</bdi>
                    </a>
                  ),
                },
                { title: 'Belongs to', cell: ({ belongs_to }) => <bdi>{belongs_to}</bdi> },
                { title: 'Memories', number: true, cell: ({ memories }) => count(memories) },
                { title: 'Versions', number: true, cell: ({ versions }) => count(versions) },
                { title: 'Pinned', number: true, cell: ({ pinned }) => count(pinned) },
                { title: 'Size', number: true, cell: ({ bytes }) => size(bytes) },
                { title: 'Newest', cell: ({ newest }) => <Ago at={newest} /> },
                ...(may('memory:write')
                  ? [
                      {
                        title: 'Delete',
                        cell: ({ name }: Namespace) => (
                          <Action kind="plain" run={() => drop(name)}>
                            Delete …
                          </Action>
                        ),
                      },
                    ]
                  : []),
              ]}
            />
          )}
          <section class="card">
            <h2>Import and export</h2>
            <p>
              On the command line. An import adds only what is missing, so you can repeat it. <code>memory_import</code>{' '}
              and <code>memory_export</code> do the same for an assistant.
            </p>
            {commands.map(([words, command]) => (
              <p key={command}>
                {words}: <code>{command}</code> <Copy text={command} />
              </p>
            ))}
          </section>
        </>
      )}
    </Loaded>
  );
}
