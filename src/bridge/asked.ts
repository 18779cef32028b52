const KEY = 'asked';

/** Workflows that somebody chose with `bridge apply`, beside what tags and the configuration choose; ids by n8n. */
export interface Asked {
  of(instance: string): readonly string[];
  add(instance: string, workflows: readonly string[]): Promise<void>;
  /** These are chosen no longer; without ids, none is. */
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
