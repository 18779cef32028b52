import { z } from 'zod';
import type { Workflow } from '../client/shapes.ts';
import {
  formPath,
  formRoot,
  isPublicChat,
  type Trigger,
  triggersOf,
  webhookMethods,
  webhookPath,
} from '../running/triggers.ts';

/** Where the triggers of a workflow can be called. */
export const addressShape = z.object({
  node: z.string(),
  url: z.string(),
  method: z.string().optional().describe('Of a webhook'),
});

const MCP = '@n8n/n8n-nodes-langchain.mcpTrigger';

/** The addresses at which a workflow answers while it is published, below the address of its n8n. */
export function addressesOf(base: string, { nodes }: Pick<Workflow, 'nodes'>): z.output<typeof addressShape>[] {
  return triggersOf(nodes).flatMap((trigger) => {
    const path = pathOf(trigger);
    if (path === undefined) return [];
    return {
      node: trigger.name,
      url: `${base.replace(/\/+$/, '')}/${path}`,
      ...(trigger.kind === 'webhook' && { method: webhookMethods(trigger).join(', ') }),
    };
  });
}

function pathOf(trigger: Trigger): string | undefined {
  const below = (prefix: string, path: string | undefined) => (path === undefined ? undefined : `${prefix}/${path}`);
  if (trigger.kind === 'webhook') return below('webhook', webhookPath(trigger));
  if (trigger.kind === 'form') return below(formRoot(trigger), formPath(trigger));
  if (isPublicChat(trigger)) return `webhook/${trigger.node.webhookId}/chat`;
  return trigger.type === MCP ? below('mcp', webhookPath(trigger)) : undefined;
}
