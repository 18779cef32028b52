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
  return (
    <div class="live">
      <Link state={activity.live.state} isPaused={isPaused} />
      <span class="quiet">{lineText(activity)}</span>
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

function lineText({ live, held, rate }: Activity): string {
  if (live.state === 'lost') return `${live.why ?? ''} The list continues without a gap when the gateway is back.`;
  const { rows, leftOut } = held;
  const most = rows.length >= MOST_HELD ? ', the most that fit here: filter, or save them as a file' : '';
  const gone = leftOut > 0 ? ` (${count(leftOut)} older ones left out)` : '';
  return `${live.state === 'live' ? `${rateText(rate)}, ` : ''}showing ${count(rows.length)}${most}${gone}`;
}

function rateText(rate: number): string {
  if (rate === 0) return 'nothing new just now';
  if (rate < 1) return 'less than one event a second';
  return `${count(Math.round(rate))} event${Math.round(rate) === 1 ? '' : 's'} a second`;
}
