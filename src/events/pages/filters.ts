/** The filters as they stand in the URL of the page, and what /api/v1/events calls them. */
const names = [
  ['type', 'event_type'],
  ['status', 'status'],
  ['source', 'source'],
  ['tool', 'tool'],
  ['principal', 'principal'],
  ['text', 'text'],
  ['audit', 'audit'],
  ['since', 'since'],
  ['until', 'until'],
  ['trace', 'trace_id'],
] as const;

type Asked = Readonly<Record<string, string | undefined>>;

/** The query for /api/v1/events; what else stands in the URL is not a filter. */
export function filterOf(asked: Asked): string {
  const query = new URLSearchParams();
  for (const [own, theirs] of names) {
    const value = Object.hasOwn(asked, own) ? asked[own]?.trim() : undefined;
    if (value !== undefined && value !== '') query.set(theirs, value);
  }
  return query.toString();
}

/** Removes every filter. */
export const noFilters: Asked = Object.fromEntries(names.map(([own]) => [own, undefined]));

/** How many of these filters are set. */
export const countSet = (asked: Asked, among: readonly string[]): number =>
  among.filter((name) => Object.hasOwn(asked, name) && asked[name]).length;
