import { fold } from '../kernel/nearest-names.ts';
import type { Json, OwnPrompt, ToolSource } from '../kernel/source.ts';
import type { Backend } from './backends/backend.ts';
import { aliasesOf, distinctName, exposedNames, rivalsOf } from './names.ts';
import { wirePrompt } from './own-offers.ts';

/** A prompt of a backend, or of our own. */
export type RegisteredPrompt = {
  name: string;
  original: string;
  /** The source of its aliases. */
  from: { id: string; prefix: string };
  wire: Json;
} & ({ backend: Backend; own?: undefined } | { own: OwnPrompt; backend?: undefined });

/** Prompts are named like tools: `<server>__<prompt>`. Our own keep their names, whatever a server calls its prompts. */
export function createPromptIndex(backends: () => readonly Backend[], sources: () => readonly ToolSource[] = () => []) {
  let built: Map<string, RegisteredPrompt> | undefined;

  function build(): Map<string, RegisteredPrompt> {
    const byName = new Map<string, RegisteredPrompt>();
    const taken = new Set<string>();
    const named = backends().map(({ name, prefix }) => ({ id: name, prefix }));
    for (const { id, prompts = [] } of sources()) {
      for (const own of prompts) {
        if (taken.has(fold(own.name))) continue;
        taken.add(fold(own.name));
        const { name } = own;
        byName.set(name, { name, original: name, from: { id, prefix: '' }, wire: wirePrompt(own), own });
      }
    }
    for (const backend of backends()) {
      const from = { id: backend.name, prefix: backend.prefix };
      const rival = rivalsOf(from, named);
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
        byName.set(name, { name, original, from, backend, wire: name === original ? wire : { ...wire, name } });
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
      return [...current().values()].find(({ from, original }) => aliasesOf(from, original).includes(name));
    },
  };
}

export type PromptIndex = ReturnType<typeof createPromptIndex>;
