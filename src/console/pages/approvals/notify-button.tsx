import { notifying, startNotifying, stopNotifying } from '../../client/notify.ts';
import { Action } from '../../client/ui/fields.tsx';

/** Notifications of the browser, for whoever leaves the page in the background. */
export function NotifyButton() {
  const state = notifying();
  if (state === 'none') return null;
  if (state === 'denied')
    return (
      <span class="quiet">Your browser blocks notifications of this page. Allow them in the settings of the site.</span>
    );
  if (state === 'on') return <Action run={async () => stopNotifying()}>Stop notifying me</Action>;
  return (
    <Action run={startNotifying} title="When something new waits while you do not look at this page">
      Notify me
    </Action>
  );
}
