import { get } from '../client/api.ts';
import { useData } from '../client/data.ts';
import { Loaded, Page } from '../client/ui/page.tsx';
import { State } from '../client/ui/state.tsx';
import { Table } from '../client/ui/table.tsx';

interface Status {
  readonly state: string;
  readonly problems: readonly string[];
  readonly tools: number;
  readonly parts: readonly { readonly name: string; readonly state: string; readonly detail?: string }[];
}

/** Whether everything is all right. */
export default function Overview() {
  const status = useData<Status>((signal) => get('api/v1/status', signal), [], 10_000);
  return (
    <Page title="Overview">
      <Loaded data={status} waiting="Asking the gateway how it is doing …">
        {({ parts, tools, state, problems }) => (
          <>
            <p>
              <State of={state} /> {tools} tools
            </p>
            <ul>
              {problems.map((problem) => (
                <li key={problem}>
                  <bdi>{problem}</bdi>
                </li>
              ))}
            </ul>
            <Table
              label="Parts"
              rows={parts}
              keyOf={({ name }) => name}
              columns={[
                { title: 'Part', cell: ({ name }) => name },
                { title: 'State', cell: ({ state: one }) => <State of={one} /> },
                { title: 'Detail', cell: ({ detail }) => detail },
              ]}
            />
          </>
        )}
      </Loaded>
    </Page>
  );
}
