const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** `2 days ago` */
export function ago(at: number, now: number = Date.now()): string {
  const ms = Math.max(0, now - at);
  for (const [unit, length] of UNITS) {
    const count = Math.floor(ms / length);
    if (count > 0) return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
  }
  return 'less than a minute ago';
}
