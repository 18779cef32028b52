import type { NodeDescription } from '../description.ts';

type Codex = NonNullable<NodeDescription['codex']>;

/** The category in which n8n's editor shows a generated tool. */
export function inToolCategory(codex: NodeDescription['codex'], tools: readonly string[]): Codex {
  return {
    categories: ['AI'],
    subcategories: { AI: ['Tools'], Tools: tools },
    resources: codex?.resources ?? {},
    ...(codex?.alias && { alias: codex.alias }),
  };
}
