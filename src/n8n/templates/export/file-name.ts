const LONGEST = 80;

/** A file name for a workflow: `Orders → Slack (daily)` becomes `orders-slack-daily.json`. */
export const fileNameOf = (name: string): string => `${slugOf(name) || 'workflow'}.json`;

/** Lower-case letters and digits of any script, joined by hyphens. */
export function slugOf(name: string): string {
  const words = name
    .slice(0, 500)
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  return words.join('-').slice(0, LONGEST).replace(/-+$/, '');
}
