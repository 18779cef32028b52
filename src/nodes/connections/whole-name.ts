/** Expands the short names of our lists: `set` to `n8n-nodes-base.set`, `ai:agent` to `@n8n/n8n-nodes-langchain.agent`. */
export function wholeName(short: string): string {
  return short.startsWith('ai:') ? `@n8n/n8n-nodes-langchain.${short.slice(3)}` : `n8n-nodes-base.${short}`;
}
