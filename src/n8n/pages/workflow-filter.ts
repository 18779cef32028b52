import type { ListedWorkflow } from './answers.ts';

interface Wanted {
  readonly words?: string | undefined;
  readonly state?: string | undefined;
  readonly tag?: string | undefined;
}

const byName = new Intl.Collator(undefined, { numeric: true });

/** The workflows that fit, by name. Every word must be in the name, a tag or the id. */
export function fitting(workflows: readonly ListedWorkflow[], { words = '', state, tag }: Wanted): ListedWorkflow[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return workflows
    .filter((one) => {
      if (state === 'live' && !one.active) return false;
      if (state === 'off' && one.active) return false;
      if (state === 'draft' && !one.draft) return false;
      if (tag !== undefined && !one.tags?.includes(tag)) return false;
      const text = [one.name, one.id, ...(one.tags ?? [])].join('\n').toLowerCase();
      return wanted.every((word) => text.includes(word));
    })
    .sort((a, b) => byName.compare(a.name, b.name));
}

/** All tags, also one that is chosen but that nothing has any more. */
export function tagsOf(workflows: readonly ListedWorkflow[], chosen: string | undefined): string[] {
  const all = new Set(workflows.flatMap(({ tags = [] }) => tags));
  if (chosen !== undefined) all.add(chosen);
  return [...all].sort((a, b) => a.localeCompare(b));
}
