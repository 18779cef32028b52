import { useSignal } from '@preact/signals';
import { call } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { may } from '../../console/client/session.ts';
import { Loaded } from '../../console/client/ui/page.tsx';
import { counted } from '../../n8n/pages/counted.ts';
import { apply } from './apply.tsx';
import type { BridgedWorkflow, Plan, Status } from './answers.ts';
import { doing } from './doing.ts';

interface CandidatesProps {
  /** How many are chosen: the list changes with it. */
  readonly chosen: number;
  readonly changed: () => Promise<void>;
}

/** Workflows that are not chosen, with what they could be. */
export function Candidates({ chosen, changed }: CandidatesProps) {
  const more = useSignal<Status | undefined>(undefined);
  const first = useData(
    (signal) => {
      more.value = undefined;
      return call<Status>('bridge_status', { chosen: false }, { signal });
    },
    [chosen],
  );
  const next = (cursor: string) =>
    doing(async () => {
      const page = await call<Status>('bridge_status', { chosen: false, cursor });
      more.value = { ...page, workflows: [...(more.value?.workflows ?? []), ...page.workflows] };
    });
  return (
    <section>
      <h2>Could be chosen</h2>
      <Loaded data={first} waiting="Looking for workflows that could be tools …">
        {(status) => {
          const all = [...status.workflows, ...(more.value?.workflows ?? [])];
          const cursor = more.value ? more.value.cursor : status.cursor;
          const possible = all.filter((one) => couldBe(one) !== undefined);
          return (
            <>
              {possible.length === 0 && (
                <p class="quiet">
                  None of the {cursor === undefined ? '' : 'first '}workflows that are not chosen has a trigger or AI
                  tools that can be bridged.
                </p>
              )}
              <ul class="bridge-candidates">
                {possible.map((one) => (
                  <li key={`${one.instance} ${one.id}`}>
                    <a href={linkTo('n8n', [one.instance, 'workflow', one.id])}>
                      <bdi>{one.name}</bdi>
                    </a>{' '}
                    <bdi class="quiet">{couldBe(one)}</bdi>{' '}
                    {may('bridge:write') && (
                      <button type="button" class="plain" onClick={() => void choose(one, changed)}>
                        Choose …
                      </button>
                    )}
                  </li>
                ))}
              </ul>
              {cursor !== undefined && (
                <button type="button" onClick={() => void next(cursor)}>
                  Look at more
                </button>
              )}
            </>
          );
        }}
      </Loaded>
    </section>
  );
}

/** What a workflow would be if it were chosen. */
function couldBe({ could_run: run, could = 0 }: BridgedWorkflow): string | undefined {
  const parts = [
    ...(run === undefined ? [] : [`could run as ${run}`]),
    ...(could === 0 ? [] : [`has ${counted(could, 'AI tool')}`]),
  ];
  return parts.length === 0 ? undefined : parts.join(' and ');
}

const choose = ({ instance, id }: BridgedWorkflow, changed: () => Promise<void>): Promise<void> =>
  doing(async () => {
    const wanted = { instance, workflows: [id] };
    await apply(await call<Plan>('bridge_plan', wanted), wanted, changed);
  });
