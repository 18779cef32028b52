import { wellFormed } from '../../gateway/backends/well-formed.ts';
import type { Json, WireTool } from '../../kernel/source.ts';

/** Takes any arguments: n8n checks them. */
const open = { type: 'object', additionalProperties: true };

/** A tool of the shared file as MCP lists it. Clients refuse a whole list for one schema that does not describe an object. */
export function wireOf(
  name: string,
  tool: { readonly name: string; readonly description?: string | undefined; readonly inputSchema?: Json | undefined },
  description: string,
  otherwise: Json = open,
): WireTool {
  const wire = { name, title: tool.name, description: tool.description ?? description, inputSchema: tool.inputSchema };
  const checked = wellFormed('tools', wire);
  return { ...wire, inputSchema: 'item' in checked ? (checked.item.inputSchema as Json) : otherwise };
}
