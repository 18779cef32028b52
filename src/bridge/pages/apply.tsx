import { call } from '../../console/client/api.ts';
import { count } from '../../console/client/ui/ago.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import type { Applied, Plan } from './answers.ts';
import { doing } from './doing.ts';
import { PlanInWords } from './plan-list.tsx';

interface Wanted {
  readonly instance?: string;
  readonly workflows?: readonly string[];
}

/** Applies a plan after the person has read it. */
export const apply = (plan: Plan, wanted: Wanted, changed: () => Promise<void>): Promise<void> =>
  doing(async () => {
    const text = (
      <>
        <PlanInWords plan={plan} />
        <p>Your own workflows are not changed. “Remove everything” undoes it.</p>
      </>
    );
    if ((await confirmed({ title: 'Apply this plan?', text, yes: 'Apply' })) === undefined) return;
    const { tools, more = 0, broken } = await call<Applied>('bridge_apply', wanted);
    for (const { tool, reason } of broken) say(`${tool} does not work: ${reason}`, true);
    if (broken.length === 0) say(`Applied. ${count(tools.length + more)} tools are listed now.`);
    await changed();
  });
