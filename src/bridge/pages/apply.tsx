import { callAsking } from '../../console/client/ui/asking.tsx';
import { confirmed } from '../../console/client/ui/dialog.tsx';
import { say } from '../../console/client/ui/notice.tsx';
import { counted } from '../../n8n/pages/counted.ts';
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
    const question = { title: 'Apply this plan?', yes: 'Apply' };
    if ((await confirmed({ ...question, text })) === undefined) return;
    const done = await callAsking<Applied>('bridge_apply', wanted, question);
    if (!done) return;
    const { tools, more = 0, broken } = done;
    for (const { tool, reason } of broken) say(`${tool} does not work: ${reason}`, true);
    if (broken.length === 0) say(`Applied. Listed now: ${counted(tools.length + more, 'tool')}.`);
    await changed();
  });
