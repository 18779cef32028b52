import type { Event } from './event.ts';

/** Watched files may have events of a megabyte. Ten thousand of them must fit into the page. */
const MOST = 4000;
const MOST_FIELDS = 60;
/** What always fits. */
const BRIEF = 100;

const cutEvents = new WeakSet<Event>();

/** Whether the list keeps less of it than was recorded. */
export const isCut = (event: Event): boolean => cutEvents.has(event);

/** The event itself if it is small, else one with shortened data. */
export function lightEvent(event: Event): Event {
  const entries = Object.entries(event.data);
  let room = MOST;
  let cut = entries.length > MOST_FIELDS;
  const kept = entries.slice(0, MOST_FIELDS).map(([name, value]) => {
    const text = typeof value === 'string' ? value : typeof value === 'object' ? JSON.stringify(value) : '';
    const size = name.length + text.length;
    if (size <= room || (text.length <= BRIEF && name.length <= BRIEF)) {
      room -= size;
      return [name, value] as const;
    }
    cut = true;
    room -= 2 * BRIEF;
    return [beginningOf(name), `${beginningOf(text)}…`] as const;
  });
  if (!cut) return event;
  const light = { ...event, data: Object.fromEntries(kept) };
  cutEvents.add(light);
  return light;
}

/** A copy: a slice would keep the whole text in memory. */
const beginningOf = (text: string): string => Array.from(text.slice(0, BRIEF)).join('');
