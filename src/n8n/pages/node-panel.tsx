import { useSignal } from '@preact/signals';
import { call } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { count, duration } from '../../console/client/ui/ago.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { Tree } from '../../console/client/ui/tree.tsx';
import type { Drawing, Run } from '../drawing/shapes.ts';
import type { Execution, Finding } from './answers.ts';
import { counted } from './counted.ts';
import { kindWords } from './drawing-model.ts';
import { ListOf } from './findings.tsx';

interface NodePanelProps {
  readonly instance: string;
  readonly node: Drawing['nodes'][number];
  readonly ran: Run['nodes'][number] | undefined;
  /** The execution that is laid over the drawing. */
  readonly execution: string | undefined;
  readonly findings: readonly Finding[];
  /** All links of the workflow. */
  readonly links: Drawing['links'];
  readonly choose: (node: string) => void;
  readonly close: () => void;
}

/** Everything about one node: what it did, what is wrong with it, its parameters. */
export function NodePanel({ instance, node, ran, execution, findings, links, choose, close }: NodePanelProps) {
  const { name, type, title, version, disabled, notes, parameters, credentials = [] } = node;
  return (
    <>
      <div class="head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <button type="button" class="plain" onClick={close}>
          Close
        </button>
      </div>
      <p class="quiet">
        <bdi>{title ?? type}</bdi>
        {version !== undefined && ` ${version}`}
        {disabled && ', disabled'}
      </p>
      {notes !== undefined && (
        <p>
          <bdi>{notes}</bdi>
        </p>
      )}
      {findings.length > 0 && (
        <>
          <h3>Findings</h3>
          <ListOf findings={findings} />
        </>
      )}
      {execution !== undefined && <WhatItDid instance={instance} node={node} ran={ran} execution={execution} />}
      <Neighbours
        title="Comes from"
        links={links.filter(({ to }) => to === name)}
        nameOf={({ from }) => from}
        choose={choose}
      />
      <Neighbours
        title="Goes to"
        links={links.filter(({ from }) => from === name)}
        nameOf={({ to }) => to}
        wayOf={({ output }) => node.outputs?.[output]}
        choose={choose}
      />
      {credentials.length > 0 && (
        <>
          <h3>Credentials</h3>
          <ul>
            {credentials.map((one) => (
              <li key={one.type}>
                <bdi>{one.name}</bdi> <span class="quiet">({one.type})</span>
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>Parameters</h3>
      {Object.keys(parameters).length === 0 ? <p class="quiet">It has none.</p> : <Tree value={parameters} open={2} />}
    </>
  );
}

type Link = Drawing['links'][number];

interface NeighboursProps {
  readonly title: string;
  readonly links: readonly Link[];
  readonly nameOf: (link: Link) => string;
  /** The name of the way out, if there are several. */
  readonly wayOf?: (link: Link) => string | undefined;
  readonly choose: (node: string) => void;
}

/** What the drawing shows as lines, for everybody who does not see them. */
function Neighbours({ title, links, nameOf, wayOf, choose }: NeighboursProps) {
  if (links.length === 0) return null;
  return (
    <>
      <h3>{title}</h3>
      <ul class="n8n-plain">
        {links.map((link, index) => {
          const way = link.kind === 'main' ? wayOf?.(link) : kindWords(link.kind);
          return (
            <li key={index}>
              <button type="button" class="plain" onClick={() => choose(nameOf(link))}>
                <bdi>{nameOf(link)}</bdi>
              </button>
              {way && (
                <span class="quiet">
                  {' '}
                  (<bdi>{way}</bdi>)
                </span>
              )}
            </li>
          );
        })}
      </ul>
    </>
  );
}

interface WhatItDidProps {
  readonly instance: string;
  readonly node: Drawing['nodes'][number];
  readonly ran: Run['nodes'][number] | undefined;
  readonly execution: string;
}

function WhatItDid({ instance, node, ran, execution }: WhatItDidProps) {
  const side = useSignal<'input' | 'output' | undefined>(undefined);
  if (!ran) return <p class="quiet">It did not run in execution {execution}.</p>;
  return (
    <>
      <h3>In execution {execution}</h3>
      <p>
        {ran.pinned
          ? 'Did not run: its pinned data were used.'
          : `${counted(ran.items, 'item')} in ${duration(ran.ms)}${ran.runs > 1 ? `, ${counted(ran.runs, 'run')}` : ''}.`}
      </p>
      {ran.outputs.length > 1 && (
        <p class="quiet">
          {ran.outputs.map(({ index, name, items }) => (
            <span key={index}>
              <bdi>{(name ?? node.outputs?.[index]) || `Output ${index + 1}`}</bdi>: {count(items)}.{' '}
            </span>
          ))}
        </p>
      )}
      {ran.error !== undefined && (
        <pre class="bad">
          <bdi>{ran.error}</bdi>
        </pre>
      )}
      <div class="tabs" role="group" aria-label="Its data">
        {(['input', 'output'] as const).map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={side.value === one}
            onClick={() => (side.value = side.value === one ? undefined : one)}
          >
            {one === 'input' ? 'Input' : 'Output'}
          </button>
        ))}
      </div>
      {side.value !== undefined && (
        <Sample key={side.value} instance={instance} node={node.name} execution={execution} side={side.value} />
      )}
    </>
  );
}

interface SampleProps {
  readonly instance: string;
  readonly node: string;
  readonly execution: string;
  readonly side: 'input' | 'output';
}

function Sample({ instance, node, execution, side }: SampleProps) {
  const data = useData(
    (signal) => call<Execution>('n8n_get_execution', { instance, id: execution, node, side, limit: 5 }, { signal }),
    [instance, execution, node, side],
  );
  return (
    <Loaded data={data} waiting="Reading the items …">
      {({ node: shown }) =>
        shown === undefined || shown.total === 0 ? (
          <p class="quiet">No items.</p>
        ) : (
          <>
            <p class="quiet">
              {shown.items.length < shown.total
                ? `The first ${shown.items.length} of ${count(shown.total)} items`
                : counted(shown.total, 'item')}
              {shown.cut && ', shortened'}
            </p>
            <Tree value={shown.items} open={2} />
          </>
        )
      }
    </Loaded>
  );
}
