import { type Late, late } from '../../kernel/late.ts';
import { known } from '../known.ts';
import type { AnyModule } from '../module.ts';
import { presets } from '../presets/built-in.ts';
import { variablesOf } from '../variables.ts';

/** What a module that is not configured does, and what its section has to say. */
export interface Needs {
  readonly description?: string;
  readonly lines: string;
  readonly variables: string[];
}

const made = new Map<string, Late<Needs>>();

/** The modules do not change while we run. */
export function needsOf(type: string): Promise<Needs> {
  let needs = made.get(type);
  if (!needs) made.set(type, (needs = late(() => find(type))));
  return needs();
}

async function find(type: string): Promise<Needs> {
  const module: AnyModule | undefined = await known.get(type)?.load();
  const preset = presets.get(type);
  const keys: [string, Key][] = module
    ? Object.entries(module.settings.shape as Record<string, Key>)
    : Object.entries(preset?.options ?? {}).map(([key, option]) => [key, option.type]);
  const variables = new Map(Object.entries(variablesOf(type)));
  const required = keys.filter(([, key]) => !key.safeParse(undefined).success).map(([key]) => key);
  const description = module?.description ?? preset?.description;
  return {
    ...(description !== undefined && { description }),
    lines: linesFor(type, required, variables),
    variables: [...variables.values()],
  };
}

interface Key {
  safeParse(value: unknown): { readonly success: boolean };
}

function linesFor(type: string, required: readonly string[], variables: ReadonlyMap<string, string>): string {
  const keys = required.map((key) => {
    const variable = variables.get(key);
    return `${key}: ${variable === undefined ? '…' : `"\${${variable}}"`}`;
  });
  return `modules:\n  ${type}: {${keys.length > 0 ? ` ${keys.join(', ')} ` : ''}}`;
}
