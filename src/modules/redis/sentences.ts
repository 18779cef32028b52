/** The first few of many, for whoever confirms: `a, b and 3 more`. */
export function someOf(names: readonly string[], most = 10): string {
  const shown = names.slice(0, most).map((name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name));
  const rest = names.length - shown.length;
  return rest > 0 ? `${shown.join(', ')} and ${rest} more` : shown.join(', ');
}

export const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
