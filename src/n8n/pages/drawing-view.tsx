import { useMemo, useRef } from 'preact/hooks';
import { call, get } from '../../console/client/api.ts';
import { useData, useQuery } from '../../console/client/data.ts';
import { agoText } from '../../console/client/ui/ago.tsx';
import { Graph } from '../../console/client/ui/graph/graph.tsx';
import type { GraphNode } from '../../console/client/ui/graph/drawing.ts';
import { Problem } from '../../console/client/ui/problem.tsx';
import type { Drawing, Run } from '../drawing/shapes.ts';
import type { Executions, Judgement, ListedExecution } from './answers.ts';
import { counted } from './counted.ts';
import { drawnWorkflow } from './drawing-model.ts';
import { Findings } from './findings.tsx';
import type { Instance } from './instances.tsx';
import { NodePanel } from './node-panel.tsx';

const EVERY_MS = 8000;
const RUNNING_MS = 2500;
const NONE = 'none';

/** A workflow as it is drawn, with an execution laid over it and what the validator says. */
export function DrawingView({ instance, drawing }: { instance: Instance; drawing: Drawing }) {
  const [query, change] = useQuery();
  const { name, state } = instance;
  const { id, version } = drawing.workflow;
  const executions = useData(
    (signal) => call<Executions>('n8n_list_executions', { instance: name, workflow: id, limit: 30 }, { signal }),
    [name, id, state],
    EVERY_MS,
  );
  const listed = executions.value?.executions ?? [];
  const shown = query.run ?? listed[0]?.id ?? NONE;
  const goesOn = listed.some((one) => one.id === shown && one.status === 'running');
  const run = useData(
    async (signal) =>
      shown === NONE
        ? undefined
        : {
            execution: shown,
            ...(await get<Run>(
              `api/v1/n8n/${encodeURIComponent(name)}/executions/${encodeURIComponent(shown)}/drawing`,
              signal,
            )),
          },
    [name, shown, state],
    goesOn ? RUNNING_MS : undefined,
  );
  const judged = useData(
    (signal) => call<Judgement>('n8n_validate_workflow', { instance: name, id, limit: 500 }, { signal }),
    [name, id, version, state],
  );
  // What was loaded for another execution, or belongs to another workflow, must not be laid over this one.
  const isOther = run.value !== undefined && run.value.workflow !== id;
  const over = run.value?.execution === shown && !isOther ? run.value : undefined;
  const findings = judged.value?.findings ?? [];
  const { nodes, edges, notes, dangling } = useMemo(
    () => drawnWorkflow(drawing, over, findings),
    [drawing, over, judged.value],
  );
  const aside = useRef<HTMLElement>(null);
  const choose = useMemo(
    () => (node: string) => {
      change({ node: node === query.node ? undefined : node });
      // On a phone it is below the drawing.
      requestAnimationFrame(() => aside.current?.scrollIntoView({ block: 'nearest' }));
    },
    [query.node, query.run, query.view],
  );
  /** What is pressed beside the drawing is replaced by what it shows, so the focus would be lost. */
  const chooseBeside = (node: string | undefined) => {
    change({ node });
    aside.current?.focus();
  };
  const chosen = drawing.nodes.find((one) => one.name === query.node);
  if (drawing.nodes.length === 0) return <p>This workflow has no nodes yet. Add some in n8n.</p>;
  return (
    <>
      <div class="bar">
        <label class="choice">
          <span>Execution to lay over it</span>
          <select value={shown} onChange={(event) => change({ run: event.currentTarget.value })}>
            <option value={NONE}>None: only the workflow</option>
            {shown !== NONE && !listed.some((one) => one.id === shown) && <option value={shown}>{shown}</option>}
            {listed.map((one) => (
              <option key={one.id} value={one.id}>
                {executionWords(one)}
              </option>
            ))}
          </select>
        </label>
        {isOther && shown === run.value?.execution ? (
          <span class="warn" role="status">
            Execution {shown} is of another workflow.
          </span>
        ) : (
          <RunWords
            run={over}
            execution={listed.find((one) => one.id === shown)}
            isEmpty={executions.value !== undefined && listed.length === 0}
          />
        )}
      </div>
      {state === 'ready' && executions.error && (
        <Problem error={executions.error} again={() => void executions.reload()} />
      )}
      {state === 'ready' && run.error && shown !== NONE && (
        <Problem error={run.error} again={() => void run.reload()} />
      )}
      <div class="n8n-drawing">
        <div>
          <Graph
            label={`The workflow ${drawing.workflow.name.slice(0, 100)}`}
            nodes={nodes}
            edges={edges}
            notes={notes}
            chosen={chosen?.name}
            onChoose={choose}
            first={chosen?.name ?? firstSeen(nodes)}
          />
          {dangling.length > 0 && (
            <p class="warn">
              Links that lead nowhere: <bdi>{dangling.slice(0, 20).join(', ')}</bdi>
              {dangling.length > 20 && ` and ${dangling.length - 20} more`}
            </p>
          )}
        </div>
        <aside ref={aside} tabIndex={-1} aria-label={chosen ? 'The chosen node' : 'Findings'}>
          {chosen ? (
            <NodePanel
              key={chosen.name}
              instance={name}
              node={chosen}
              ran={over?.nodes.find((one) => one.node === chosen.name)}
              execution={shown === NONE ? undefined : shown}
              findings={findings.filter((one) => one.node === chosen.name)}
              links={drawing.links}
              choose={chooseBeside}
              close={() => chooseBeside(undefined)}
            />
          ) : (
            <Findings data={judged} isAway={state !== 'ready'} choose={chooseBeside} />
          )}
        </aside>
      </div>
    </>
  );
}

/** What failed or is wrong; otherwise the beginning. */
function firstSeen(nodes: readonly GraphNode[]): string | undefined {
  const wrong = nodes.find(({ tone }) => tone === 'bad');
  return (wrong ?? nodes.toSorted((a, b) => (a.at?.x ?? 0) - (b.at?.x ?? 0))[0])?.id;
}

interface RunWordsProps {
  readonly run: Run | undefined;
  readonly execution: ListedExecution | undefined;
  readonly isEmpty: boolean;
}

function RunWords({ run, execution, isEmpty }: RunWordsProps) {
  if (!run) return isEmpty ? <span class="quiet">n8n has no executions of it.</span> : null;
  const failed = run.nodes.find((one) => one.failed);
  return (
    <span role="status">
      {run.note !== undefined ? (
        <bdi class="quiet">{run.note}</bdi>
      ) : failed ? (
        <span class="bad">
          <bdi>{failed.node}</bdi> failed: <bdi>{failed.error}</bdi>
        </span>
      ) : (
        <span class="quiet">
          {counted(run.nodes.length, 'node')} ran{execution?.status === 'running' && ' so far'}
        </span>
      )}
    </span>
  );
}

function executionWords({ id, status, started, mode }: ListedExecution): string {
  const ago = started === undefined ? '' : `, ${agoText(Date.now() - new Date(started).getTime())}`;
  return `${id}: ${status}${ago}${mode === undefined ? '' : ` (${mode})`}`;
}
