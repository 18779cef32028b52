import type { Plan } from './shapes.ts';
import { counted } from './words.ts';

/** A plan in a few sentences. */
export function PlanWords({ plan }: { plan: Plan }) {
  const { steps, more_steps = 0, confirmations, approvals, on_failure } = plan;
  const skipped = steps.filter((one) => one.skipped).length;
  return (
    <ul class="plan">
      <li>
        {counted(steps.length + more_steps, 'step')}
        {skipped > 0 && `, of which ${skipped} ${skipped === 1 ? 'is' : 'are'} skipped with these inputs`}.
        {more_steps > 0 && ` The drawing shows the first ${steps.length}.`}
      </li>
      {confirmations.length > 0 && (
        <li class="warn">
          Deploying confirms what changes or deletes things for good: <bdi>{confirmations.join(', ')}</bdi>.
        </li>
      )}
      {approvals.length > 0 && (
        <li>
          It stops until a person decides at: <bdi>{approvals.join(', ')}</bdi>.
        </li>
      )}
      <li>
        {on_failure === 'undo'
          ? 'If a step fails, the steps before it are undone, as far as they say how.'
          : 'If a step fails, what was done before stays.'}
      </li>
    </ul>
  );
}
