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
    'Reads a web page as Markdown through Firecrawl. n8n itself has no Firecrawl node, so this is an HTTP Request to its API.',
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
      description: 'Formats to return: markdown, html, rawHtml, links, screenshot',
      default: ['markdown'],
      at: 'Firecrawl: jsonBody',
    },
    endpoint: {
      type: 'string',
      description: 'URL of the API; replace scrape with crawl, map or search, which take other bodies',
      default: 'https://api.firecrawl.dev/v1/scrape',
      validationPattern: '^https?://.+',
      at: 'Firecrawl: url',
    },
    timeout: {
      type: 'integer',
      description: 'Timeout in milliseconds',
      default: 60000,
      min: 1,
      at: 'Firecrawl: options.timeout',
    },
  },
  inputParams: { url: { type: 'string', description: 'Page to read', required: true, default: '' } },
  outputParams: {
    success: { type: 'boolean', description: 'Whether Firecrawl could read the page' },
    data: {
      type: 'object',
      description: 'The requested formats, such as markdown, and metadata with title and sourceURL',
    },
  },
  inputPorts: [itemsIn('Firecrawl', 'One page for each item')],
  outputPorts: [itemsOut('Firecrawl', 'The page')],
  tags: ['firecrawl', 'web', 'scrape', 'crawl', 'markdown', 'page'],
  examples: [
    {
      name: 'Read an article',
      description: 'Gets the text that an agent summarizes next.',
      configurations: { formats: ['markdown'] },
      input: { url: 'https://example.com/article' },
      output: { success: true, data: { markdown: '# Title\n\nText…', metadata: { title: 'Title' } } },
    },
  ],
  guidance:
    "Needs a credential of type httpBearerAuth with Firecrawl's API key. If Firecrawl's community package is installed, search_nodes finds its own node.",
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
