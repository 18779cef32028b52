import type { Data } from '../../console/client/data.ts';
import { Loaded } from '../../console/client/ui/page.tsx';
import { State } from '../../console/client/ui/state.tsx';
import type { Finding, Judgement } from './answers.ts';
import { counted } from './counted.ts';

const tones = { error: 'bad', warning: 'warn', info: 'info' } as const;

interface FindingsProps {
  readonly data: Data<Judgement>;
  readonly isAway: boolean;
  readonly choose: (node: string) => void;
}

/** What the validator says. A press shows the node. */
export function Findings({ data, isAway, choose }: FindingsProps) {
  if (isAway && data.value === undefined) return <p class="quiet">n8n does not answer, so nothing was checked.</p>;
  return (
    <>
      <h2>Findings</h2>
      <Loaded data={data} waiting="Checking the workflow …">
        {({ findings, counts, notes = [] }) => (
          <>
            {findings.length === 0 ? (
              <p class="quiet">The validator finds nothing wrong. Choose a node to see its parameters.</p>
            ) : (
              <p class="quiet">
                {counted(counts.error, 'error')}, {counted(counts.warning, 'warning')}, {counted(counts.info, 'hint')}
              </p>
            )}
            <ListOf findings={findings} choose={choose} />
            {notes.map((note) => (
              <p key={note} class="quiet">
                <bdi>{note}</bdi>
              </p>
            ))}
          </>
        )}
      </Loaded>
    </>
  );
}

export function ListOf({ findings, choose }: { findings: readonly Finding[]; choose?: (node: string) => void }) {
  return (
    <ul class="n8n-plain">
      {findings.map(({ severity, node, message, rule }, index) => (
        <li key={index}>
          <State of={severity} tone={tones[severity]} />{' '}
          {node !== undefined && choose && (
            <button type="button" class="plain" onClick={() => choose(node)}>
              <bdi>{node}</bdi>
            </button>
          )}
          <div>
            <bdi>{message}</bdi> <code class="quiet">{rule}</code>
          </div>
        </li>
      ))}
    </ul>
  );
}
