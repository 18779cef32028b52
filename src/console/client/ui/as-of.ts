/** The right end of the slider, which is now. */
export const TOP = 1000;

/** The time at a place of the slider; undefined is now. */
export function timeAt(place: number, from: number, now: number): string | undefined {
  return place >= TOP ? undefined : new Date(from + ((now - from) * Math.max(0, place)) / TOP).toISOString();
}

/** Where a time is on the slider. What is no time is now. */
export function placeOf(time: string | undefined, from: number, now: number): number {
  const at = time === undefined ? Number.NaN : Date.parse(time);
  if (Number.isNaN(at) || !(from < now)) return TOP;
  return Math.round(Math.min(1, Math.max(0, (at - from) / (now - from))) * TOP);
}

/** As a field for local times has it: 2026-11-19T02:30. */
export function localTime(time: string | undefined): string {
  const at = new Date(time ?? Number.NaN);
  if (Number.isNaN(at.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${String(at.getFullYear()).padStart(4, '0')}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}
