import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.httpRequest';

export const firecrawlAction: CuratedSpec = {
  type: 'EXTERNAL_ACTION',
  subtype: 'FIRECRAWL',
  nodes: [NODE],
  names: false,
  description:
    'Reads a web page as Markdown through Firecrawl. n8n itself has no Firecrawl node: this is an HTTP Request to its API.',
  configurations: {
    url: {
      type: 'string',
      description: 'Page to read',
      required: true,
      default: '={{ $json.url }}',
      at: 'Firecrawl: jsonBody',
    },
    formats: {
      type: 'array',
      description: 'What to give of it: markdown, html, rawHtml, links, screenshot',
      default: ['markdown'],
      at: 'Firecrawl: jsonBody',
    },
    endpoint: {
      type: 'string',
      description: "Firecrawl's address; replace scrape by crawl, map or search for those, whose bodies differ",
      default: 'https://api.firecrawl.dev/v1/scrape',
      validationPattern: '^https?://.+',
      at: 'Firecrawl: url',
    },
    timeout: { type: 'integer', description: 'Milliseconds', default: 60000, min: 1, at: 'Firecrawl: options.timeout' },
  },
  inputParams: { url: { type: 'string', description: 'Page to read', required: true, default: '' } },
  outputParams: {
    success: { type: 'boolean', description: 'Whether the page could be read' },
    data: {
      type: 'object',
      description: 'markdown (and the other formats asked for) and metadata with title and sourceURL',
    },
  },
  inputPorts: [itemsIn('Firecrawl', 'One page for each item')],
  outputPorts: [itemsOut('Firecrawl', 'The page')],
  tags: ['firecrawl', 'web', 'scrape', 'crawl', 'markdown', 'page'],
  examples: [
    {
      name: 'Read an article',
      description: 'For a summary by an agent.',
      configurations: { formats: ['markdown'] },
      input: { url: 'https://example.com/article' },
      output: { success: true, data: { markdown: '# Title\n\nText…', metadata: { title: 'Title' } } },
    },
  ],
  guidance:
    "Needs a credential of type httpBearerAuth with Firecrawl's API key. Where the community package of Firecrawl is installed its own node is found by search_nodes.",
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Firecrawl',
        parameters: {
          method: 'POST',
          url: 'https://api.firecrawl.dev/v1/scrape',
          authentication: 'genericCredentialType',
          genericAuthType: 'httpBearerAuth',
          sendBody: true,
          contentType: 'json',
          specifyBody: 'json',
          jsonBody: "={{ JSON.stringify({ url: $json.url, formats: ['markdown'] }) }}",
          options: { timeout: 60_000 },
        },
      }),
    ],
    connections: {},
  }),
};
