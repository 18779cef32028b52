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
      description: 'Its name, without the owner',
      required: true,
      default: '',
      at: 'GitHub: repository.value',
    },
    events: {
      type: 'array',
      description: "GitHub's names of webhook events: push, issues, issue_comment, pull_request, release; * for all",
      required: true,
      default: ['push'],
      at: 'GitHub: events',
    },
  },
  inputParams: {},
  outputParams: {
    body: { type: 'object', description: "GitHub's payload: action, repository, sender and what the event is about" },
    headers: { type: 'object', description: 'x-github-event says which event it was' },
    query: { type: 'object', description: 'Empty' },
  },
  inputPorts: [],
  outputPorts: [itemsOut('GitHub', 'One item for each event')],
  tags: ['trigger', 'github', 'git', 'repository', 'development'],
  examples: [
    {
      name: 'New issues',
      description: 'Take action === "opened" with an IF after it: the event comes for edits and labels too.',
      configurations: { owner: 'acme', repository: 'shop', events: ['issues'] },
      output: { body: { action: 'opened', issue: { number: 12, title: 'Checkout fails' } } },
    },
  ],
  guidance:
    'Needs a GitHub credential that may administer webhooks of the repository: publishing makes the webhook there, unpublishing removes it. GitHub has to reach this n8n from outside.',
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
