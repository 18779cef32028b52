import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.githubTrigger';

export const githubTrigger: CuratedSpec = {
  type: 'TRIGGER',
  subtype: 'GITHUB',
  nodes: [NODE],
  names: true,
  description: 'Starts the workflow when something happens in a GitHub repository: a push, an issue, a pull request.',
  configurations: {
    owner: {
      type: 'string',
      description: 'User or organisation',
      required: true,
      default: '',
      at: 'GitHub: owner.value',
    },
    repository: {
      type: 'string',
      description: 'Repository name, without the owner',
      required: true,
      default: '',
      at: 'GitHub: repository.value',
    },
    events: {
      type: 'array',
      description: 'GitHub webhook events: push, issues, issue_comment, pull_request, release; * for all',
      required: true,
      default: ['push'],
      at: 'GitHub: events',
    },
  },
  inputParams: {},
  outputParams: {
    body: { type: 'object', description: "GitHub's payload: action, repository, sender and the subject of the event" },
    headers: { type: 'object', description: 'x-github-event is the name of the event' },
    query: { type: 'object', description: 'Always empty' },
  },
  inputPorts: [],
  outputPorts: [itemsOut('GitHub', 'One item per event')],
  tags: ['trigger', 'github', 'git', 'repository', 'development'],
  examples: [
    {
      name: 'New issues',
      description: 'Add an IF for action === "opened": edits and labels send this event too.',
      configurations: { owner: 'acme', repository: 'shop', events: ['issues'] },
      output: { body: { action: 'opened', issue: { number: 12, title: 'Checkout fails' } } },
    },
  ],
  guidance:
    'Needs a GitHub credential that can manage the webhooks of the repository: publishing creates the webhook, unpublishing removes it. GitHub must be able to reach this n8n.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'GitHub',
        parameters: {
          authentication: 'accessToken',
          owner: { __rl: true, mode: 'name', value: '' },
          repository: { __rl: true, mode: 'name', value: '' },
          events: ['push'],
          options: {},
        },
      }),
    ],
    connections: {},
  }),
};
