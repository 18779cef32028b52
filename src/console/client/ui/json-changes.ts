const MOST = 500;

/** What changed between two JSON values, in words. */
export function changesIn(before: unknown, after: unknown): string[] {
  const found: string[] = [];
  compare(before, after, '', found);
  return found;
}

function compare(before: unknown, after: unknown, path: string, found: string[]): void {
  if (found.length >= MOST || Object.is(before, after)) return;
  const where = path === '' ? 'The value' : path;
  if (!isComposite(before) || !isComposite(after) || Array.isArray(before) !== Array.isArray(after)) {
    found.push(`${where} changed from ${brief(before)} to ${brief(after)}`);
    return;
  }
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  for (const key of keys) {
    const inner = Array.isArray(before) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
    if (!Object.hasOwn(before, key)) found.push(`${inner} is new: ${brief((after as Fields)[key])}`);
    else if (!Object.hasOwn(after, key)) found.push(`${inner} is gone (was ${brief((before as Fields)[key])})`);
    else compare((before as Fields)[key], (after as Fields)[key], inner, found);
  }
}

type Fields = Record<string, unknown>;

const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

function brief(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 120 ? `${text.slice(0, 119)}…` : text;
}
