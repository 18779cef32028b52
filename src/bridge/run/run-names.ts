import type { OwnRecords } from '../../n8n/generate/records.ts';
import { type Named, nameWorkflows } from '../identity.ts';

const KEY = 'runs.names';
/** Compact exposure uses `run_list`, `run_call` and `run_read`. */
const WRAPPERS = ['list', 'call', 'read'];

/** Tool names of workflows. A workflow keeps its tool name when it is renamed in n8n. */
export interface RunNames {
  get(key: string): string | undefined;
  restore(): Promise<void>;
  /** Names workflows that have no name yet. A workflow that is no longer a tool keeps its name; a deleted one frees it. */
  assign(workflows: readonly Named[], isGone: (key: string) => boolean): Promise<void>;
}

export function createRunNames(records: OwnRecords): RunNames {
  const slugs = new Map<string, string>();
  return {
    get(key) {
      const slug = slugs.get(key);
      return slug === undefined ? undefined : `run_${slug}`;
    },
    async restore() {
      const stored = await records.get(KEY);
      slugs.clear();
      for (const [key, slug] of Array.isArray(stored) ? (stored as [string, string][]) : []) slugs.set(key, slug);
    },
    async assign(workflows, isGone) {
      const before = JSON.stringify([...slugs]);
      for (const key of slugs.keys()) if (isGone(key)) slugs.delete(key);
      const listed = new Set(workflows.map(({ key }) => key));
      const resting = [...slugs].filter(([key]) => !listed.has(key)).map(([key, name]) => ({ key, name }));
      for (const [key, slug] of nameWorkflows([...workflows, ...resting], slugs, WRAPPERS)) slugs.set(key, slug);
      if (JSON.stringify([...slugs]) !== before) await records.put(KEY, [...slugs]);
    },
  };
}
