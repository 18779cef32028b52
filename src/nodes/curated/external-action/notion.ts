import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.notion';

export const notionAction: CuratedSpec = {
  type: 'EXTERNAL_ACTION',
  subtype: 'NOTION',
  nodes: [NODE],
  names: true,
  description: 'Reads and writes Notion: pages, rows of databases, blocks, users.',
  configurations: {
    resource: {
      type: 'string',
      description: 'What to work on; a row of a database is a databasePage',
      default: 'page',
      options: ['page', 'databasePage', 'block', 'database', 'dataSource', 'user'],
      at: 'Notion: resource',
    },
    operation: {
      type: 'string',
      description: 'What to do; get_node_details with resource and operation shows the parameters',
      default: 'search',
      at: 'Notion: operation',
    },
    query: { type: 'string', description: 'Words in the title', default: '={{ $json.query }}', at: 'Notion: text' },
    limit: {
      type: 'integer',
      description: 'Maximum number of results',
      default: 10,
      min: 1,
      max: 100,
      at: 'Notion: limit',
    },
  },
  inputParams: { query: { type: 'string', description: 'The words the fragment searches for', default: '' } },
  outputParams: {
    id: { type: 'string', description: 'Id of the page' },
    name: { type: 'string', description: 'Its title' },
    url: { type: 'string', description: 'URL of the page' },
  },
  inputPorts: [itemsIn('Notion', 'One call for each item')],
  outputPorts: [itemsOut('Notion', 'One item per page found')],
  tags: ['notion', 'page', 'database', 'wiki', 'notes', 'productivity'],
  examples: [
    {
      name: 'Find a page',
      description: 'Pages with Roadmap in the title.',
      configurations: { resource: 'page', operation: 'search', query: 'Roadmap', limit: 5 },
      output: { id: '5f2b…', name: 'Roadmap 2027', url: 'https://www.notion.so/Roadmap-5f2b' },
    },
  ],
  guidance:
    'Needs a credential (notionApi). Share the pages with that integration in Notion: search finds only shared pages. To add a row, use resource databasePage with operation create.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Notion',
        parameters: {
          resource: 'page',
          operation: 'search',
          text: '={{ $json.query }}',
          returnAll: false,
          limit: 10,
          options: {},
        },
      }),
    ],
    connections: {},
  }),
};
