/** The cheapest complete MCP server: what it costs to answer at all, without an SDK. */

export interface Request {
  id?: string | number;
  method?: string;
  params?: { name?: string; arguments?: { text?: string }; protocolVersion?: string; [key: string]: unknown };
}

export interface WireTool {
  name: string;
  description: string;
  inputSchema: object;
}

export const echoTool: WireTool = {
  name: 'echo',
  description: 'Echo the text back',
  inputSchema: {
    type: 'object',
    properties: { text: { type: 'string', description: 'text to echo' } },
    required: ['text'],
  },
};

/** `echo`, and enough plausible other tools to make a list of `count`. */
export function toolList(count: number, server: string): WireTool[] {
  const fillers = Array.from({ length: count - 1 }, (_, index) => ({
    name: `tool_${String(index + 1).padStart(3, '0')}`,
    description: `Filler tool number ${index + 1} of backend ${server}; does a plausible thing with an item, a count and a mode.`,
    inputSchema: {
      type: 'object',
      properties: {
        item: { type: 'string', description: 'the item' },
        count: { type: 'integer', minimum: 0, description: 'how many' },
        mode: { type: 'string', enum: ['fast', 'safe', 'dry-run'] },
      },
      required: ['item'],
    },
  }));
  return [echoTool, ...fillers];
}

/** Answers one message as JSON text, or nothing if none is expected. */
export function createEcho(tools: number, name: string): (request: Request) => string | undefined {
  const list = { tools: toolList(tools, name) };

  function resultOf({ method, params }: Request): object | undefined {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: params?.protocolVersion ?? '2025-06-18',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name, version: '1.0.0' },
        };
      case 'ping':
        return {};
      case 'tools/list':
        return list;
      case 'tools/call':
        return { content: [{ type: 'text', text: params?.arguments?.text ?? '' }] };
      case 'resources/list':
        return { resources: [] };
      case 'resources/templates/list':
        return { resourceTemplates: [] };
      case 'prompts/list':
        return { prompts: [] };
      default:
        return undefined;
    }
  }

  return (request) => {
    const { id, method } = request;
    if (id === undefined || method === undefined) return undefined;
    const result = resultOf(request);
    if (result) return JSON.stringify({ jsonrpc: '2.0', id, result });
    return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: `Method not found: ${method}` } });
  };
}
