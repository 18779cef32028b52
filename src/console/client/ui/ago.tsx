import { signal } from '@preact/signals';

/** Clocks differ by as much. */
const BRIEF_MS = 2000;

const now = signal(Date.now());
setInterval(() => {
  if (!document.hidden) now.value = Date.now();
}, 5000);

/** How long ago, with the exact time on hover. */
export function Ago({ at }: { at: string | number | undefined }) {
  if (at === undefined) return null;
  const moment = new Date(at);
  if (Number.isNaN(moment.getTime())) return <span>{String(at)}</span>;
  return (
    <time dateTime={moment.toISOString()} title={moment.toLocaleString()}>
      {agoText(now.value - moment.getTime())}
    </time>
  );
}

/** For how long something has been so. */
export function For({ since }: { since: string | undefined }) {
  const moment = new Date(since ?? '');
  if (Number.isNaN(moment.getTime())) return null;
  return (
    <time dateTime={moment.toISOString()} title={moment.toLocaleString()}>
      {`for ${agoText(Math.max(5000, now.value - moment.getTime())).replace(/ ago$/, '')}`}
    </time>
  );
}

/** When something is tried again; the time may have come already. */
export function Retry({ at }: { at: string }) {
  return now.value + BRIEF_MS >= Date.parse(at) ? (
    <>Trying again now.</>
  ) : (
    <>
      Tried again <Ago at={at} />.
    </>
  );
}

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

export function agoText(ms: number): string {
  const ahead = ms < -BRIEF_MS;
  const span = Math.abs(ms);
  for (const [size, unit] of units) {
    if (span < size) continue;
    const count = Math.floor(span / size);
    const text = `${count} ${unit}${count === 1 ? '' : 's'}`;
    return ahead ? `in ${text}` : `${text} ago`;
  }
  if (span < 5000) return ahead ? 'in a moment' : 'just now';
  return ahead ? `in ${Math.ceil(span / 1000)} s` : `${Math.floor(span / 1000)} s ago`;
}

/** A duration as people read it: 12 ms, 3.4 s, 2 min. */
export function duration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 10) / 10} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  if (ms < 3_600_000) return `${Math.round(ms / 6000) / 10} min`;
  return `${Math.round(ms / 360_000) / 10} h`;
}

/** A size as people read it. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 1_000_000) return `${Math.round(bytes / 100) / 10} kB`;
  return `${Math.round(bytes / 100_000) / 10} MB`;
}

export const count = (value: number): string => value.toLocaleString('en');
