import { agentTool, chosenByAgent } from './agent-tool.ts';

export const notionMcpTool = agentTool({
  subtype: 'NOTION_MCP_TOOL',
  node: 'n8n-nodes-base.notionTool',
  name: 'Search Notion',
  description: "Lets an agent search Notion: n8n's Notion node as a tool.",
  credential: 'Needs a credential of type notionApi.',
  configurations: {
    resource: {
      type: 'string',
      description: 'What to work on. A tool has one operation: add a tool for each',
      default: 'page',
      options: ['page', 'databasePage', 'block', 'database', 'dataSource', 'user'],
      at: 'Search Notion: resource',
    },
    operation: { type: 'string', description: 'What the tool does', default: 'search', at: 'Search Notion: operation' },
    limit: {
      type: 'integer',
      description: 'Maximum number of results',
      default: 10,
      min: 1,
      max: 100,
      at: 'Search Notion: limit',
    },
  },
  inputParams: { query: { type: 'string', description: 'Words the agent searches for', required: true, default: '' } },
  outputParams: {
    id: { type: 'string', description: 'Id of each page found' },
    name: { type: 'string', description: 'Its title' },
    url: { type: 'string', description: 'URL of the page' },
  },
  parameters: {
    descriptionType: 'manual',
    toolDescription: 'Searches Notion for pages with these words in the title, and returns their titles and URLs.',
    resource: 'page',
    operation: 'search',
    text: chosenByAgent('query', 'Words in the title of the page'),
    returnAll: false,
    limit: 10,
    options: {},
  },
  tags: ['notion', 'page', 'wiki'],
  example: {
    name: 'Ask the wiki',
    description: 'The agent looks up how holidays are requested.',
    configurations: { limit: 3 },
    input: { query: 'holidays' },
    output: { id: '5f2b…', name: 'How to request holidays', url: 'https://www.notion.so/Holidays-5f2b' },
  },
});
