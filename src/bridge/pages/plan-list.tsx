import { counted } from '../../n8n/pages/counted.ts';
import type { Plan } from './answers.ts';
import { exposes } from './plan-words.ts';

const SHOWN = 30;

/** A plan as sentences. */
export function PlanInWords({ plan: { workflows, more = 0, remove, writes } }: { plan: Plan }) {
  return (
    <div class="bridge-plan">
      <ul>
        {workflows.slice(0, SHOWN).map((one) => (
          <li key={`${one.instance} ${one.id}`}>
            <bdi>{one.name}</bdi> <bdi>{exposes(one)}</bdi>.
            {one.leave_out.length > 0 && (
              <ul class="quiet">
                {one.leave_out.map(({ tool, reason }) => (
                  <li key={tool}>
                    <bdi>{tool}</bdi> is left out: <bdi>{reason}</bdi>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
        {workflows.length + more > SHOWN && <li>… and {counted(workflows.length + more - SHOWN, 'more workflow')}</li>}
      </ul>
      {writes.length > 0 && (
        <>
          <h3>Sluice writes to n8n</h3>
          <ul>
            {writes.map((what) => (
              <li key={what}>{what}</li>
            ))}
          </ul>
        </>
      )}
      {remove.length > 0 && (
        <>
          <h3>Removed from n8n, because their source is gone</h3>
          <ul>
            {remove.map(({ id, name }) => (
              <li key={id}>
                <bdi>{name}</bdi>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}
