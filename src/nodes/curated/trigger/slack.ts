import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.slackTrigger';

export const slackTrigger: CuratedSpec = {
  type: 'TRIGGER',
  subtype: 'SLACK',
  nodes: [NODE],
  names: true,
  description: 'Starts the workflow on an event in Slack: a message in a channel, a mention of the app, a reaction.',
  configurations: {
    events: {
      type: 'array',
      description:
        'message, app_mention, reaction_added, file_share, file_public, channel_created, team_join, any_event',
      required: true,
      default: ['message'],
      at: 'Slack: trigger',
    },
    channel: {
      type: 'string',
      description: 'Channel id (C0123456789); not needed with watch_workspace',
      required: true,
      default: '',
      validationPattern: '^[CDG][A-Z0-9]{2,}$',
      at: 'Slack: channelId.value',
    },
    watch_workspace: {
      type: 'boolean',
      description: 'Watch every channel the app is in, instead of one',
      default: false,
      at: 'Slack: watchWorkspace',
    },
  },
  inputParams: {},
  outputParams: {
    type: { type: 'string', description: 'Type of the event' },
    user: { type: 'string', description: 'Id of the user who caused it' },
    text: { type: 'string', description: 'Text of the message' },
    channel: { type: 'string', description: 'Id of the channel' },
    ts: { type: 'string', description: 'Timestamp of the message, which is also its id' },
  },
  inputPorts: [],
  outputPorts: [itemsOut('Slack', 'One item per event')],
  tags: ['trigger', 'slack', 'chat', 'message', 'communication'],
  examples: [
    {
      name: 'Messages in one channel',
      description: 'Every message, including replies in threads.',
      configurations: { events: ['message'], channel: 'C0123456789' },
      output: {
        type: 'message',
        user: 'U0456',
        text: 'The build is red',
        channel: 'C0123456789',
        ts: '1718000000.000100',
      },
    },
  ],
  guidance:
    "Needs a Slack app whose event subscriptions point to this node's URL, and its credential. A workflow that replies in the same channel triggers itself with its own message: ignore messages with a bot_id.",
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Slack',
        parameters: {
          trigger: ['message'],
          watchWorkspace: false,
          channelId: { __rl: true, mode: 'id', value: '' },
          options: {},
        },
      }),
    ],
    connections: {},
  }),
};
