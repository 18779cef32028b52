import { get } from '../client/api.ts';
import { useData } from '../client/data.ts';
import { linkTo } from '../client/pages.ts';
import { count } from '../client/ui/ago.tsx';
import { Plot } from '../client/ui/plot.tsx';
import type { Status } from './status.ts';

interface Minute {
  readonly at: string;
  readonly calls: number;
  readonly errors: number;
}

const EVERY_MS = 10_000;

/** Calls and errors of the last hour. */
export function Busy({ status }: { status: Status }) {
  const { value } = useData<{ minutes: readonly Minute[] }>(
    (signal) => get('api/v1/calls/minutes', signal),
    [],
    EVERY_MS,
  );
  // A key that is limited to some tools may not see the calls of others.
  if (!value) return null;
  const calls = value.minutes.map((minute) => minute.calls);
  const errors = value.minutes.map((minute) => minute.errors);
  const [all, failed] = [sum(calls), sum(errors)];
  return (
    <div class="cards">
      <section class="card figure">
        <h2>Calls in the last hour</h2>
        <p>
          <b>{count(all)}</b> <a href={linkTo('activity', [], { type: 'tool.*' })}>See them</a>
        </p>
        <Plot label={`${all} calls in the last hour, by minute`} values={calls} />
      </section>
      <section class="card figure">
        <h2>Errors in the last hour</h2>
        <p>
          <b class={failed > 0 ? 'bad' : ''}>{count(failed)}</b>{' '}
          {failed > 0 && <a href={linkTo('activity', [], { type: 'tool.call_failed' })}>See them</a>}
        </p>
        <Plot label={`${failed} errors in the last hour, by minute`} values={errors} marked={errors} />
      </section>
      <section class="card figure">
        <h2>Connected now</h2>
        <p>
          <b>{count(status.sessions ?? 0)}</b> {status.sessions === 1 ? 'session' : 'sessions'}
        </p>
        <p class="quiet">
          Version {status.version}, running for {uptime(status.uptimeSeconds)}
        </p>
      </section>
    </div>
  );
}

const sum = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

function uptime(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return minutes === 1 ? 'one minute' : `${minutes} minutes`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return hours === 1 ? 'one hour' : `${hours} hours`;
  return `${Math.floor(hours / 24)} days`;
}
