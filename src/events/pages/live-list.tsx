import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { useQuery } from '../../console/client/data.ts';
import { Empty } from '../../console/client/ui/empty.tsx';
import { Problem } from '../../console/client/ui/problem.tsx';
import { Rows } from '../../console/client/ui/rows.tsx';
import { Waiting } from '../../console/client/ui/waiting.tsx';
import { EventDetails } from './event-details.tsx';
import { EventRow } from './event-row.tsx';
import { LiveLine } from './live-line.tsx';
import { noFilters } from './filters.ts';
import { type Activity, useActivity } from './use-activity.ts';

const NARROW = '(max-width: 48rem)';
const HEIGHT = 38;
const NARROW_HEIGHT = 66;

/** The events of a filter, newest first, and new ones as they come. */
export function LiveList({ filter }: { filter: string }) {
  const [query, change] = useQuery();
  const isReading = useSignal(false);
  const isPaused = useSignal(false);
  // New rows would carry the focused one out of the list.
  const hasFocus = useSignal(false);
  const activity = useActivity(filter, { isReading: isReading.value || hasFocus.value, isPaused: isPaused.value });
  const box = useRef<HTMLDivElement>(null);
  const height = useHeight();
  const { held } = activity;
  const open = (id: number | undefined) => change({ event: id === undefined ? undefined : String(id) }, true);

  const toTop = () => {
    box.current?.querySelector('.rows')?.scrollTo(0, 0);
    isReading.value = false;
    hasFocus.value = false;
    activity.showNew();
  };
  const focused = (target: EventTarget | null) => {
    const isInRow = target instanceof Element && target.closest('.row') !== null;
    if (isInRow === hasFocus.value) return;
    hasFocus.value = isInRow;
    if (!isInRow && !isReading.value) activity.showNew();
  };
  const onTop = (isTop: boolean) => {
    isReading.value = !isTop;
    if (isTop) activity.showNew();
  };

  return (
    <section
      ref={box}
      class="activity"
      onKeyDown={moveWithArrows}
      onFocusIn={({ target }) => focused(target)}
      onFocusOut={({ relatedTarget }) => focused(relatedTarget)}
    >
      <LiveLine activity={activity} isPaused={isPaused.value} pause={(next) => (isPaused.value = next)} />
      {activity.error && <Problem error={activity.error} again={activity.reload} />}
      {held.waiting.length > 0 && (
        <button type="button" class="main fresh" onClick={toTop}>
          {held.waiting.length.toLocaleString('en')} new
        </button>
      )}
      {held.rows.length > 0 ? (
        <Rows
          label="Events, newest first"
          items={held.rows}
          keyOf={({ id }) => id}
          height={height}
          onEnd={activity.older}
          onTop={onTop}
          row={(event) => <EventRow event={event} open={() => open(event.id)} />}
        />
      ) : (
        <Nothing activity={activity} filter={filter} clear={() => change(noFilters)} />
      )}
      {query.event !== undefined && (
        <EventDetails
          key={query.event}
          id={query.event}
          known={held.rows.find(({ id }) => String(id) === query.event)}
          close={() => open(undefined)}
        />
      )}
    </section>
  );
}

function Nothing({ activity, filter, clear }: { activity: Activity; filter: string; clear: () => void }) {
  if (activity.error) return null;
  if (activity.loading) return <Waiting>Loading the newest events …</Waiting>;
  if (filter === '')
    return <Empty title="Nothing has happened yet">Call a tool, and the call appears here at once.</Empty>;
  return (
    <>
      <Empty title="No event matches these filters">New ones that match appear here.</Empty>
      <button type="button" onClick={clear}>
        Remove all filters
      </button>
    </>
  );
}

/** Arrow keys go from one event to the next. */
function moveWithArrows(event: KeyboardEvent): void {
  const row = event.target instanceof Element ? event.target.closest('.row') : null;
  const next =
    event.key === 'ArrowDown' ? row?.nextElementSibling : event.key === 'ArrowUp' ? row?.previousElementSibling : null;
  const button = next?.querySelector<HTMLElement>('button');
  if (!button) return;
  event.preventDefault();
  button.focus();
}

/** A phone has no room for everything on one line. */
function useHeight(): number {
  const isNarrow = useSignal(matchMedia(NARROW).matches);
  useEffect(() => {
    const media = matchMedia(NARROW);
    const changed = () => (isNarrow.value = media.matches);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, []);
  return isNarrow.value ? NARROW_HEIGHT : HEIGHT;
}
