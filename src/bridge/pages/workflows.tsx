import { linkTo } from '../../console/client/pages.ts';
import { may } from '../../console/client/session.ts';
import { callAsking } from '../../console/client/ui/asking.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { State } from '../../console/client/ui/state.tsx';
import type { BridgedTool, BridgedWorkflow } from './answers.ts';
import { doing } from './doing.ts';
import { whyChosen } from './plan-words.ts';

const tones = { listed: 'good', waiting: 'warn', broken: 'bad', impossible: 'off', excluded: 'off' } as const;

interface ListProps {
  readonly workflows: readonly BridgedWorkflow[];
  readonly changed: () => Promise<void>;
}

/** The chosen workflows with the tools they give. */
export function ListOfBridged({ workflows, changed }: ListProps) {
  if (workflows.length === 0) return null;
  return (
    <section>
      <h2>Chosen workflows</h2>
      {workflows.map((one) => (
        <article key={`${one.instance} ${one.id}`} class="card">
          <h3>
            <a href={linkTo('n8n', [one.instance, 'workflow', one.id])}>
              <bdi>{one.name}</bdi>
            </a>
          </h3>
          <p class="quiet">
            Chosen by {whyChosen(one.chosen ?? '')}.{' '}
            {one.chosen === 'asked' && may('bridge:write') && (
              <button type="button" class="plain" onClick={() => void takeBack(one, changed)}>
                Take it back …
              </button>
            )}
          </p>
          <ul class="bridge-tools">
            {one.run !== undefined && <Tool tool={{ tool: one.run, state: 'listed' }} />}
            {one.run === undefined && one.run_reason !== undefined && (
              <li class="quiet">
                It is not a tool itself: <bdi>{one.run_reason}</bdi>
              </li>
            )}
            {one.tools?.map((tool) => (
              <Tool key={tool.tool} tool={tool} />
            ))}
            {one.more_tools !== undefined && <li class="quiet">and {one.more_tools} more</li>}
          </ul>
        </article>
      ))}
    </section>
  );
}

function Tool({ tool: { tool, state, reason } }: { tool: BridgedTool }) {
  return (
    <li>
      <State of={state} tone={tones[state]} />{' '}
      {state === 'listed' ? (
        <a href={linkTo('tools', [tool])}>
          <code>{tool}</code>
        </a>
      ) : (
        <code>{tool}</code>
      )}
      {reason !== undefined && (
        <>
          {' '}
          <bdi class="quiet">{reason}</bdi>
        </>
      )}
    </li>
  );
}

const takeBack = ({ instance, id, name }: BridgedWorkflow, changed: () => Promise<void>): Promise<void> =>
  doing(async () => {
    const done = await callAsking<{ removed: unknown[] }>(
      'bridge_cleanup',
      { instance, workflows: [id] },
      { title: 'Take this choice back?', yes: 'Take it back' },
    );
    if (!done) return;
    say(`"${name}" is not bridged any more.`);
    await changed();
  });
