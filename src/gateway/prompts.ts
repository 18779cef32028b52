import { fold } from '../kernel/nearest-names.ts';
import type { Json } from '../kernel/source.ts';
import type { Backend } from './backends/backend.ts';
import { aliasesOf, distinctName, exposedNames, rivalsOf } from './names.ts';

export interface RegisteredPrompt {
  name: string;
  original: string;
  backend: Backend;
  wire: Json;
}

/** Prompts are named like tools: `<server>__<prompt>`. */
export function createPromptIndex(backends: () => readonly Backend[]) {
  let built: Map<string, RegisteredPrompt> | undefined;

  function build(): Map<string, RegisteredPrompt> {
    const byName = new Map<string, RegisteredPrompt>();
    const taken = new Set<string>();
    const named = backends().map(({ name, prefix }) => ({ id: name, prefix }));
    for (const backend of backends()) {
      const rival = rivalsOf({ id: backend.name, prefix: backend.prefix }, named);
      const prompts = backend.catalogue?.prompts ?? [];
      const names = exposedNames(
        backend.prefix,
        prompts.map(({ name }) => name as string),
      );
      for (const wire of prompts) {
        const original = wire.name as string;
        const wanted = backend.prefix === '' ? original : (names.get(original) as string);
        const isTaken = taken.has(fold(wanted)) || rival(wanted) !== undefined;
        const name = isTaken ? distinctName(backend.prefix, original, backend.name) : wanted;
        if (isTaken && taken.has(fold(name))) continue;
        taken.add(fold(name));
        byName.set(name, { name, original, backend, wire: name === original ? wire : { ...wire, name } });
      }
    }
    return byName;
  }

  const current = () => (built ??= build());
  return {
    invalidate(): void {
      built = undefined;
    },
    all: () => [...current().values()],
    find(name: string): RegisteredPrompt | undefined {
      const found = current().get(name);
      if (found || !name.includes(':')) return found;
      return [...current().values()].find(({ backend: { name: id, prefix }, original }) =>
        aliasesOf({ id, prefix }, original).includes(name),
      );
    },
  };
}

export type PromptIndex = ReturnType<typeof createPromptIndex>;
