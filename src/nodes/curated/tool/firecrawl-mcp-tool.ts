import { agentTool } from './agent-tool.ts';

/** n8n has no Firecrawl node, but n8n's MCP client can give an agent the tools of Firecrawl's MCP server. */
export const firecrawlMcpTool = agentTool(
  {
    subtype: 'FIRECRAWL_MCP_TOOL',
    node: '@n8n/n8n-nodes-langchain.mcpClientTool',
    name: 'Firecrawl',
    description: "Gives an agent the tools of Firecrawl's MCP server: to read, search and crawl web pages.",
    credential: "Needs a credential of type httpBearerAuth with Firecrawl's API key.",
    configurations: {
      endpoint: {
        type: 'string',
        description: 'URL of the MCP server; your own server works too',
        required: true,
        default: 'https://mcp.firecrawl.dev/v2/mcp',
        validationPattern: '^https?://.+',
        at: 'Firecrawl: endpointUrl',
      },
      include: {
        type: 'string',
        description: 'Tools to offer: all, only includeTools, or all except excludeTools',
        default: 'all',
        options: ['all', 'selected', 'except'],
        at: 'Firecrawl: include',
      },
      timeout: {
        type: 'integer',
        description: 'Timeout of a call in milliseconds',
        default: 60000,
        min: 1,
        at: 'Firecrawl: options.timeout',
      },
    },
    inputParams: {
      url: {
        type: 'string',
        description: 'Page to read, chosen by the agent; each tool has its own schema',
        default: '',
      },
    },
    outputParams: { content: { type: 'array', description: "The result of the server's tool" } },
    parameters: {
      endpointUrl: 'https://mcp.firecrawl.dev/v2/mcp',
      serverTransport: 'httpStreamable',
      authentication: 'bearerAuth',
      include: 'all',
      options: { timeout: 60_000 },
    },
    tags: ['firecrawl', 'mcp', 'web', 'scrape'],
    example: {
      name: 'Research on the web',
      description: 'The agent reads the pages it needs.',
      configurations: { include: 'all' },
      input: { url: 'https://example.com/article' },
      output: { content: [{ type: 'text', text: '# Title' }] },
    },
    remark: 'Attach any other MCP server in the same way (TOOL.MCP_CLIENT_TOOL).',
  },
  false,
);
