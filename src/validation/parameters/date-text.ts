const ISO =
  /^[-+]?\d{4,6}(-?(\d{2}(-?\d{2})?|W\d{2}(-?\d)?|\d{3}))?([T ]\d{2}(:?\d{2}(:?\d{2}([.,]\d{1,9})?)?)?\s*(Z|[-+]\d{2}(:?\d{2})?|\[.+\])*)?$/;

/** Whether n8n finds a date in it: ISO 8601, HTTP and mail dates, SQL, and what JavaScript itself reads. */
export function isDate(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'string') return false;
  const text = value.trim();
  if (text.length > 200) return false;
  if (!Number.isNaN(Date.parse(text))) return true;
  // JavaScript knows no weeks and no days of the year.
  return ISO.test(text) && /W|^\d{4}-?\d{3}(T|$)|^\d{8}|^\d{6}$/.test(text);
}

/** JavaScript, and with it n8n, makes 1 March of 30 February. */
export function isOnTheCalendar(text: string): boolean {
  const found = /^(\d{4})-(\d{2})-(\d{2})/.exec(text);
  if (!found) return true;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}
