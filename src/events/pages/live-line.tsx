import { State } from '../../console/client/ui/state.tsx';
import { count } from '../../console/client/ui/ago.tsx';
import { MOST_HELD } from './held-events.ts';
import type { Activity } from './use-activity.ts';

interface LiveLineProps {
  readonly activity: Activity;
  readonly isPaused: boolean;
  readonly pause: (next: boolean) => void;
}

/** Whether new events come, how many, and how many are shown. */
export function LiveLine({ activity, isPaused, pause }: LiveLineProps) {
  const { live, held, rate } = activity;
  return (
    <div class="live">
      <Link state={live.state} isPaused={isPaused} />
      <span class="quiet">
        {live.state === 'lost' ? (live.why ?? '') : live.state === 'live' ? `${rateText(rate)}, ` : ''}
        {live.state === 'lost' && ' The list continues without a gap when it is back. '}
        showing {count(held.rows.length)}
        {held.rows.length >= MOST_HELD && ', which is the most. Filter, or export more'}
        {held.leftOut > 0 && ` (${count(held.leftOut)} older ones left out)`}
      </span>
      <button type="button" class="plain" onClick={() => pause(!isPaused)}>
        {isPaused ? 'Continue' : 'Pause'}
      </button>
    </div>
  );
}

function Link({ state, isPaused }: { state: Activity['live']['state']; isPaused: boolean }) {
  if (isPaused)
    return (
      <State of="paused" tone="off">
        paused
      </State>
    );
  if (state === 'live')
    return (
      <State of="live" tone="good">
        live
      </State>
    );
  if (state === 'lost')
    return (
      <State of="lost" tone="bad">
        not connected
      </State>
    );
  if (state === 'paused')
    return (
      <State of="ended" tone="off">
        the past
      </State>
    );
  return (
    <State of="connecting" tone="warn">
      connecting
    </State>
  );
}

export function rateText(rate: number): string {
  if (rate === 0) return 'nothing new just now';
  if (rate < 1) return 'less than one event a second';
  return `${count(Math.round(rate))} event${Math.round(rate) === 1 ? '' : 's'} a second`;
}
