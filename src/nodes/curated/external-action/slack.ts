import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.slack';

export const slackAction: CuratedSpec = {
  type: 'EXTERNAL_ACTION',
  subtype: 'SLACK',
  nodes: [NODE],
  names: true,
  description: 'Posts to Slack, and reads and manages its messages, channels, files, reactions and users.',
  configurations: {
    resource: {
      type: 'string',
      description: 'What to work on',
      default: 'message',
      options: ['message', 'channel', 'file', 'reaction', 'star', 'user', 'userGroup'],
      at: 'Slack: resource',
    },
    operation: {
      type: 'string',
      description: 'What to do; get_node_details with resource and operation shows the parameters',
      default: 'post',
      at: 'Slack: operation',
    },
    channel: {
      type: 'string',
      description: 'Name of the channel, with #',
      required: true,
      default: '#general',
      at: 'Slack: channelId.value',
    },
    text: {
      type: 'string',
      description: 'The message, in Slack markup',
      required: true,
      default: '={{ $json.text }}',
      at: 'Slack: text',
    },
    thread: {
      type: 'string',
      description: 'ts of the message to reply to, as replyValues.thread_ts',
      at: 'Slack: otherOptions.thread_ts',
    },
  },
  inputParams: { text: { type: 'string', description: 'The text the fragment posts', default: '' } },
  outputParams: {
    ok: { type: 'boolean', description: 'Whether Slack accepted it' },
    channel: { type: 'string', description: 'Id of the channel' },
    message_timestamp: { type: 'string', description: 'Id of the message, for replies in its thread' },
  },
  inputPorts: [itemsIn('Slack', 'One message for each item')],
  outputPorts: [itemsOut('Slack', "Slack's response")],
  tags: ['slack', 'chat', 'message', 'notification', 'communication'],
  examples: [
    {
      name: 'Notify a channel',
      description: 'Posts a message about each new order.',
      configurations: { channel: '#orders', text: '=New order {{ $json.order }}: {{ $json.total }} €' },
      input: { order: 1007, total: 49.5 },
      output: { ok: true, channel: 'C0123456789' },
    },
  ],
  guidance:
    'Needs a credential: slackApi, or slackOAuth2Api with authentication oAuth2. The app must be in the channel. To ask somebody and wait for the answer, use HUMAN_IN_THE_LOOP.SLACK_INTERACTION.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Slack',
        parameters: {
          resource: 'message',
          operation: 'post',
          select: 'channel',
          channelId: { __rl: true, mode: 'name', value: '#general' },
          messageType: 'text',
          text: '={{ $json.text }}',
          otherOptions: {},
        },
      }),
    ],
    connections: {},
  }),
};
