import { type Event, timeOf } from './event.ts';

const two = (value: number): string => String(value).padStart(2, '0');

/** The time of day, with the date if that is another day. */
export function clockText(at: number, now: Date = new Date()): string {
  const moment = new Date(at);
  const time = `${two(moment.getHours())}:${two(moment.getMinutes())}:${two(moment.getSeconds())}`;
  if (moment.toDateString() === now.toDateString()) return time;
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())} ${time}`;
}

/** When it happened; as it was given if that is not a time. */
export function Moment({ event }: { event: Event }) {
  const at = timeOf(event);
  if (at === undefined) return <span>{event.timestamp.slice(0, 24) || 'No time'}</span>;
  const moment = new Date(at);
  return (
    <time dateTime={moment.toISOString()} title={moment.toLocaleString()}>
      {clockText(at)}
    </time>
  );
}
