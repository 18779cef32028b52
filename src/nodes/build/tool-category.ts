import type { NodeDescription } from '../description.ts';

type Codex = NonNullable<NodeDescription['codex']>;

/** Where n8n's editor shows a tool that was made of a node. */
export function inToolCategory(codex: NodeDescription['codex'], tools: readonly string[]): Codex {
  return {
    categories: ['AI'],
    subcategories: { AI: ['Tools'], Tools: tools },
    resources: codex?.resources ?? {},
    ...(codex?.alias && { alias: codex.alias }),
  };
}
