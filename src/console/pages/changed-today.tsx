import { get } from '../client/api.ts';
import { useData } from '../client/data.ts';
import { useKeyNames } from '../client/key-names.ts';
import type { Event } from '../client/live.ts';
import { linkTo } from '../client/pages.ts';
import { Ago } from '../client/ui/ago.tsx';
import { Problem } from '../client/ui/problem.tsx';
import { Waiting } from '../client/ui/waiting.tsx';
import { Said } from '../../events/pages/said.tsx';

const EVERY_MS = 15_000;
const MOST = 30;

/** What somebody changed since midnight, the newest first. */
export function ChangedToday() {
  const { value, error, reload } = useData<{ events: readonly Event[] }>(
    (signal) =>
      get(`api/v1/events?audit=true&limit=${MOST}&since=${encodeURIComponent(midnight().toISOString())}`, signal),
    [],
    EVERY_MS,
  );
  useKeyNames();
  return (
    <section class="card">
      <h2>Changed today</h2>
      {error && <Problem error={error} again={() => void reload()} />}
      {!value && !error && <Waiting>Looking for changes …</Waiting>}
      {value?.events.length === 0 && <p class="quiet">Nobody changed anything today.</p>}
      <ul class="plain">
        {value?.events.map((event) => (
          <li key={event.id}>
            <Said event={event} />{' '}
            <span class="quiet">
              <Ago at={event.timestamp} />
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href={linkTo('activity', [], { audit: 'true' })}>All changes</a>
      </p>
    </section>
  );
}

function midnight(): Date {
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  return day;
}
