/** What our own lists leave out: `set` is `n8n-nodes-base.set`, `ai:agent` is `@n8n/n8n-nodes-langchain.agent`. */
export function wholeName(short: string): string {
  return short.startsWith('ai:') ? `@n8n/n8n-nodes-langchain.${short.slice(3)}` : `n8n-nodes-base.${short}`;
}
