import type { Way } from '../way.ts';
import { other } from './other.ts';
import { webhookPath } from './webhook.ts';

/** An MCP client that calls a tool. It speaks MCP, so nobody can run it as a workflow. */
export const mcp: Way = {
  ...other,
  types: ['@n8n/n8n-nodes-langchain.mcpTrigger'],
  address(node) {
    const path = webhookPath(node);
    return path === undefined ? undefined : { path: `mcp/${path}` };
  },
};
