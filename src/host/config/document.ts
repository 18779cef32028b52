import { plainJson } from './jsonc.ts';
import type { SourceDocument } from './yaml-document.ts';

/** Reads YAML, or JSON with comments. Plain JSON skips the YAML parser (20 ms) unless problems need line numbers. */
export async function readDocument(text: string, format: 'yaml' | 'json'): Promise<SourceDocument> {
  const source = format === 'json' ? plainJson(text) : text;
  const asYaml = async () => (await import('./yaml-document.ts')).readYaml(source);
  const value = jsonObject(source);
  return value ? { value, problems: [], lines: async () => (await asYaml()).lines() } : asYaml();
}

const STRING = /"(?:\\.|[^"\\])*"(\s*:)?/g;

/** A JSON object that YAML would read the same way: without duplicate keys. */
function jsonObject(text: string): Record<string, unknown> | undefined {
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const value = JSON.parse(text) as Record<string, unknown>;
    let written = 0;
    for (const [, colon] of text.matchAll(STRING)) if (colon) written++;
    return written === keysIn(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function keysIn(value: unknown): number {
  if (value === null || typeof value !== 'object') return 0;
  const inner = Object.values(value).reduce<number>((sum, item) => sum + keysIn(item), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}
