import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.github';

export const githubAction: CuratedSpec = {
  type: 'EXTERNAL_ACTION',
  subtype: 'GITHUB',
  nodes: [NODE],
  names: true,
  description:
    'Works on GitHub: issues, pull requests, files, releases, repositories, reviews, users and workflow runs.',
  configurations: {
    resource: {
      type: 'string',
      description: 'What to work on',
      default: 'issue',
      options: ['issue', 'pullRequest', 'file', 'release', 'repository', 'review', 'organization', 'user', 'workflow'],
      at: 'GitHub: resource',
    },
    operation: {
      type: 'string',
      description: 'What to do; get_node_details with resource and operation shows the parameters',
      default: 'create',
      at: 'GitHub: operation',
    },
    owner: {
      type: 'string',
      description: 'User or organisation',
      required: true,
      default: '={{ $json.owner }}',
      at: 'GitHub: owner.value',
    },
    repository: {
      type: 'string',
      description: 'Repository name, without the owner',
      required: true,
      default: '={{ $json.repository }}',
      at: 'GitHub: repository.value',
    },
    title: {
      type: 'string',
      description: 'Title of the issue',
      required: true,
      default: '={{ $json.title }}',
      at: 'GitHub: title',
    },
    body: {
      type: 'string',
      description: 'Text of the issue, in Markdown',
      default: '={{ $json.body }}',
      at: 'GitHub: body',
    },
  },
  inputParams: {
    title: { type: 'string', description: 'Title of the issue', required: true, default: '' },
    body: { type: 'string', description: 'Text of the issue', default: '' },
  },
  outputParams: {
    number: { type: 'integer', description: 'Number of the issue' },
    html_url: { type: 'string', description: 'URL of the issue' },
    state: { type: 'string', description: 'open or closed' },
  },
  inputPorts: [itemsIn('GitHub', 'One call for each item')],
  outputPorts: [itemsOut('GitHub', "GitHub's response")],
  tags: ['github', 'git', 'issue', 'pull request', 'repository', 'development'],
  examples: [
    {
      name: 'Open an issue',
      description: 'One issue for each incoming alert.',
      configurations: { owner: 'acme', repository: 'shop', title: '=Alert: {{ $json.alert }}' },
      output: { number: 12, html_url: 'https://github.com/acme/shop/issues/12', state: 'open' },
    },
  ],
  guidance:
    'Needs a credential: githubApi, githubOAuth2Api or githubAppApi, depending on authentication. labels and assignees are lists of { label } and { assignee }.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'GitHub',
        parameters: {
          authentication: 'accessToken',
          resource: 'issue',
          operation: 'create',
          owner: { __rl: true, mode: 'name', value: '={{ $json.owner }}' },
          repository: { __rl: true, mode: 'name', value: '={{ $json.repository }}' },
          title: '={{ $json.title }}',
          body: '={{ $json.body }}',
          labels: [],
          assignees: [],
        },
      }),
    ],
    connections: {},
  }),
};
