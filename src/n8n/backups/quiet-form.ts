import type { Workflow } from '../client/shapes.ts';

/** What makes a workflow what it is. Counters, times and what it remembers between runs change without anybody's doing. */
const KEYS = [
  'id',
  'name',
  'description',
  'active',
  'isArchived',
  'tags',
  'settings',
  'nodes',
  'connections',
  'nodeGroups',
  'pinData',
] as const;

/** Without these n8n does not import it. */
const NEEDED: ReadonlySet<string> = new Set(['name', 'nodes', 'connections', 'settings']);

/** A workflow in a form that differs only where the workflow does: the same keys in the same order, and no noise. */
export function quietForm(workflow: Workflow): Record<string, unknown> {
  const known: Record<string, unknown> = { ...workflow, tags: tagNames(workflow).map((name) => ({ name })) };
  const present = KEYS.filter((key) => NEEDED.has(key) || !isNone(known[key]));
  return Object.fromEntries(present.map((key) => [key, sorted(known[key] ?? {})]));
}

const tagNames = ({ tags }: Workflow): string[] => (tags ?? []).map(({ name }) => name).sort();

/** For a file that people look at: two blanks deep, with a line break at its end. */
export const quietText = (workflow: Workflow): string => `${JSON.stringify(quietForm(workflow), null, 2)}\n`;

/** n8n says "none" as null, as an empty text or as an empty object. */
function isNone(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
}
