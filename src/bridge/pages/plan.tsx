import { useSignal } from '@preact/signals';
import { call } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { may } from '../../console/client/session.ts';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Loaded } from '../../console/client/ui/page.tsx';
import { apply } from './apply.tsx';
import type { Plan } from './answers.ts';
import { PlanInWords } from './plan-list.tsx';
import { isPending } from './plan-words.ts';

const EVERY_MS = 20_000;

interface PlanProps {
  /** The plan changes with it. */
  readonly status: string;
  readonly changed: () => Promise<void>;
}

/** What applying would write to n8n and list, and the button that does it. */
export function PlanOfBridge({ status, changed }: PlanProps) {
  const data = useData((signal) => call<Plan>('bridge_plan', {}, { signal }), [status], EVERY_MS);
  const busy = useSignal(false);
  const press = async (plan: Plan) => {
    busy.value = true;
    await apply(plan, {}, async () => {
      await Promise.all([data.reload(), changed()]);
    });
    busy.value = false;
  };
  return (
    <section class="card" aria-label="Plan">
      <h2>Plan</h2>
      <Loaded data={data} waiting="Planning …">
        {(plan) =>
          plan.workflows.length === 0 && plan.remove.length === 0 ? (
            <Empty title="Nothing is planned: no workflow is chosen">
              Give a workflow the tag <code>mcp</code> in n8n, and it appears here within a minute.
              {plan.not_chosen > 0 && ' Or choose one below.'}
            </Empty>
          ) : !isPending(plan) ? (
            <p class="quiet">
              {plan.applied
                ? 'Everything is in sync. Sluice keeps it so when workflows change.'
                : 'Nothing has to be written to n8n for the chosen workflows.'}
            </p>
          ) : (
            <>
              <PlanInWords plan={plan} />
              {may('bridge:write') && (
                <button type="button" class="main" disabled={busy.value} onClick={() => void press(plan)}>
                  {busy.value ? 'Applying …' : 'Apply …'}
                </button>
              )}
            </>
          )
        }
      </Loaded>
    </section>
  );
}
