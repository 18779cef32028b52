const KEY = 'asked';

/** Ids of workflows chosen with `bridge apply`, by n8n. Tags and the configuration choose others. */
export interface Asked {
  of(instance: string): readonly string[];
  add(instance: string, workflows: readonly string[]): Promise<void>;
  /** Drops these choices; without ids, all of them. */
  drop(instance: string, workflows?: readonly string[]): Promise<void>;
}

export async function openAsked(records: {
  get(key: string): Promise<unknown>;
  put(key: string, value: unknown): Promise<void>;
}): Promise<Asked> {
  const stored = await records.get(KEY);
  const asked = new Map(Array.isArray(stored) ? (stored as [string, readonly string[]][]) : []);
  const of = (instance: string): readonly string[] => asked.get(instance) ?? [];

  async function put(instance: string, workflows: readonly string[]): Promise<void> {
    if (workflows.length === 0) asked.delete(instance);
    else asked.set(instance, workflows);
    await records.put(KEY, [...asked]);
  }

  return {
    of,
    add: (instance, workflows) => put(instance, [...new Set([...of(instance), ...workflows])]),
    drop: (instance, workflows) => put(instance, workflows ? of(instance).filter((id) => !workflows.includes(id)) : []),
  };
}
