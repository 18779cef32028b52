import type { Failed } from '../../../console/client/api.ts';
import { linkTo } from '../../../console/client/pages.ts';
import { confirmed } from '../../../console/client/ui/dialog.tsx';
import type { Details } from './tool-types.ts';

/** Whether the person in front of the page wants the call that the gateway asks about. */
export async function agrees(tool: Details, { message, needsPerson }: Failed): Promise<boolean> {
  const [says = ''] = message.split('Nothing was done yet.');
  const answer = await confirmed({
    title: `Call ${tool.name}?`,
    yes: needsPerson ? 'It is approved: call it' : 'Yes, call it',
    danger: tool.effect === 'delete',
    text: (
      <>
        <p>
          <bdi>{says.trim()}</bdi>
        </p>
        {needsPerson && (
          <p>
            It waits under{' '}
            <a href={linkTo('approvals')} target="_blank" rel="noopener">
              Approvals
            </a>
            . Go on here once it is approved there.
          </p>
        )}
      </>
    ),
  });
  return answer !== undefined;
}
