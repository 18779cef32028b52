const ISO =
  /^[-+]?\d{4,6}(-?(\d{2}(-?\d{2})?|W\d{2}(-?\d)?|\d{3}))?([T ]\d{2}(:?\d{2}(:?\d{2}([.,]\d{1,9})?)?)?\s*(Z|[-+]\d{2}(:?\d{2})?|\[.+\])*)?$/;

/** Whether n8n can read it as a date: ISO 8601, HTTP, mail and SQL dates, and everything that JavaScript reads. */
export function isDate(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'string') return false;
  const text = value.trim();
  if (text.length > 200) return false;
  if (!Number.isNaN(Date.parse(text))) return true;
  // JavaScript does not read week dates or days of the year.
  return ISO.test(text) && /W|^\d{4}-?\d{3}(T|$)|^\d{8}|^\d{6}$/.test(text);
}

/** JavaScript, and so n8n, turns 30 February into 1 or 2 March. */
export function isOnTheCalendar(text: string): boolean {
  const found = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (!found) return true;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}
