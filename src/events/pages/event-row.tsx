import { duration } from '../../console/client/ui/ago.tsx';
import { durationIn, type Event } from './event.ts';
import { Moment } from './moment.tsx';
import { Said } from './said.tsx';

/** One event as a line. All of it opens the details. */
export function EventRow({ event, open }: { event: Event; open: () => void }) {
  const ms = durationIn(event);
  return (
    <div class={`event-row ${event.status}`}>
      <span class="when">
        <Moment event={event} />
      </span>
      <span class="mark">{statusWord(event)}</span>
      <button type="button" class="what" onClick={open}>
        <Said event={event} />
      </button>
      <span class="took number">{ms === undefined ? '' : duration(ms)}</span>
    </div>
  );
}

/** A word beside the colour: not everybody sees colours. */
function statusWord({ status }: Event): string {
  if (status === 'failure') return 'failed';
  return status === 'pending' ? 'began' : 'ok';
}
