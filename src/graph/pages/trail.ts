/** The entities that somebody came through, as they stand in the URL. */
const MOST = 6;

export function trailIn(text: string | undefined): string[] {
  if (text === undefined) return [];
  try {
    const given: unknown = JSON.parse(text);
    return Array.isArray(given) ? given.filter((one): one is string => typeof one === 'string').slice(-MOST) : [];
  } catch {
    return [];
  }
}

/** The trail after a step from one entity to another. Who comes back to an entity is where they were before. */
export function walked(trail: readonly string[], from: string, to: string): string[] {
  const before = trail.indexOf(to);
  if (before !== -1) return trail.slice(0, before);
  return from === to ? [...trail] : [...trail, from].slice(-MOST);
}

/** Undefined if there is none: then it does not stand in the URL. */
export const inUrl = (trail: readonly string[]): string | undefined =>
  trail.length === 0 ? undefined : JSON.stringify(trail);
