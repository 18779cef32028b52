import type { Workflow } from '../client/shapes.ts';

/** What people change. Counters, times and the data kept between runs change by themselves. */
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

/** n8n does not import a workflow without these. */
const NEEDED: ReadonlySet<string> = new Set(['name', 'nodes', 'connections', 'settings']);

/** A stable form of a workflow, with sorted keys and no noise, so that a diff shows only what people changed. */
export const quietForm = (workflow: Workflow): Record<string, unknown> => formWith(KEYS, workflow);

/** These keys of a workflow, in this order. Leaves out those without a value, unless n8n needs them. */
export function formWith(
  keys: readonly string[],
  workflow: Pick<Workflow, 'name' | 'nodes' | 'connections'> & {
    tags?: readonly { name: string }[] | null | undefined;
  },
): Record<string, unknown> {
  const names = (workflow.tags ?? []).map(({ name }) => name).sort();
  const known = new Map(Object.entries({ ...workflow, tags: names.map((name) => ({ name })) }));
  const present = keys.filter((key) => NEEDED.has(key) || !isNone(known.get(key)));
  return Object.fromEntries(present.map((key) => [key, sorted(known.get(key) ?? {})]));
}

export const quietText = (workflow: Workflow): string => `${JSON.stringify(quietForm(workflow), null, 2)}\n`;

/** n8n writes "none" as null, an empty string or an empty object. */
export function isNone(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** The same value with sorted keys: n8n does not keep their order. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, inner]) => [key, sorted(inner)]));
}
