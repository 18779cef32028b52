import { useRef } from 'preact/hooks';
import { get } from '../../console/client/api.ts';
import { useData } from '../../console/client/data.ts';
import { linkTo } from '../../console/client/pages.ts';
import { may } from '../../console/client/session.ts';
import { duration } from '../../console/client/ui/ago.tsx';
import { Caller } from '../../console/client/ui/caller.tsx';
import { Copy } from '../../console/client/ui/copy.tsx';
import { Modal } from '../../console/client/ui/dialog.tsx';
import { Problem } from '../../console/client/ui/problem.tsx';
import { State } from '../../console/client/ui/state.tsx';
import { Tree } from '../../console/client/ui/tree.tsx';
import { Waiting } from '../../console/client/ui/waiting.tsx';
import { durationIn, type Event } from './event.ts';
import { isCut } from './light-event.ts';
import { placesOf } from './places.ts';
import { Said } from './said.tsx';
import { traceCommand } from './trace-command.ts';

interface EventDetailsProps {
  readonly id: string;
  /** What the list has, so that nothing needs to be loaded. */
  readonly known: Event | undefined;
  readonly close: () => void;
}

/** All of one event, at the side. */
export function EventDetails({ id, known, close }: EventDetailsProps) {
  // The list may let go of it while somebody reads.
  const first = useRef(known).current;
  const needed = first === undefined || isCut(first);
  const whole = useData<Event | undefined>(
    async (signal) => (needed ? get<Event>(`api/v1/events/${encodeURIComponent(id)}`, signal) : undefined),
    [id],
  );
  const event = whole.value ?? first;
  return (
    <Modal title="Event" close={close}>
      <div class="event-details">
        {whole.error && <Problem error={whole.error} again={() => void whole.reload()} />}
        {event ? <Shown event={event} /> : !whole.error && <Waiting>Loading the event …</Waiting>}
      </div>
    </Modal>
  );
}

function Shown({ event }: { event: Event }) {
  const ms = durationIn(event);
  const command = traceCommand(event.trace_id);
  return (
    <>
      <p class="sentence">
        <Said event={event} />
      </p>
      <dl class="pairs">
        <dt>Status</dt>
        <dd>
          <State of={event.status} />
        </dd>
        <dt>Time</dt>
        <dd>
          <bdi>{event.timestamp}</bdi>
        </dd>
        {ms !== undefined && (
          <>
            <dt>Took</dt>
            <dd>{duration(ms)}</dd>
          </>
        )}
        <dt>Type</dt>
        <dd>
          <code>
            <bdi>{event.event_type}</bdi>
          </code>
        </dd>
        <dt>Trace</dt>
        <dd>
          <a href={linkTo('activity', ['trace', event.trace_id])}>
            <code>
              <bdi>{event.trace_id}</bdi>
            </code>
          </a>
        </dd>
        {placesOf(event)
          .filter(({ scope }) => may(scope))
          .map(({ title, name, href }) => [
            <dt key={`${title} title`}>{title}</dt>,
            <dd key={title}>
              <a href={href}>
                <Caller id={name} />
              </a>
            </dd>,
          ])}
      </dl>
      <h3>Data</h3>
      <Tree value={event.data} open={2} />
      <p class="actions">
        <Copy text={() => JSON.stringify(event, null, 2)}>Copy as JSON</Copy>
        {command !== undefined && <Copy text={command}>Copy the command for its trace</Copy>}
      </p>
    </>
  );
}
