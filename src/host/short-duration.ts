const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
] as const;

/** A duration in its largest unit: 42s, 3m, 5h, 2d. */
export function shortDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const unit = units.find(([, length]) => seconds >= length);
  return unit ? `${Math.floor(seconds / unit[1])}${unit[0]}` : `${seconds}s`;
}
