import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.discord';

export const discordAction: CuratedSpec = {
  type: 'EXTERNAL_ACTION',
  subtype: 'DISCORD_ACTION',
  nodes: [NODE],
  names: true,
  description: 'Posts to Discord, and manages messages, channels and members of a server.',
  configurations: {
    resource: {
      type: 'string',
      description: 'What to work on',
      default: 'message',
      options: ['message', 'channel', 'member'],
      at: 'Discord: resource',
    },
    operation: {
      type: 'string',
      description: 'What to do; get_node_details with resource and operation shows the parameters',
      default: 'send',
      at: 'Discord: operation',
    },
    server: {
      type: 'string',
      description: 'Id of the server',
      required: true,
      default: '={{ $json.guildId }}',
      validationPattern: '^\\d+$',
      at: 'Discord: guildId.value',
    },
    channel: {
      type: 'string',
      description: 'Id of the channel',
      required: true,
      default: '={{ $json.channelId }}',
      validationPattern: '^\\d+$',
      at: 'Discord: channelId.value',
    },
    content: {
      type: 'string',
      description: 'The message, up to 2,000 characters',
      required: true,
      default: '={{ $json.text }}',
      at: 'Discord: content',
    },
  },
  inputParams: { text: { type: 'string', description: 'The text the fragment posts', default: '' } },
  outputParams: {
    id: { type: 'string', description: 'Id of the message' },
    channel_id: { type: 'string', description: 'Id of its channel' },
    content: { type: 'string', description: 'Text of the message' },
  },
  inputPorts: [itemsIn('Discord', 'One message for each item')],
  outputPorts: [itemsOut('Discord', "Discord's response")],
  tags: ['discord', 'chat', 'message', 'notification', 'communication'],
  examples: [
    {
      name: 'Announce a release',
      description: 'Posts to one channel of a server.',
      configurations: {
        server: '123456789012345678',
        channel: '234567890123456789',
        content: '=Version {{ $json.tag }} is out.',
      },
      input: { tag: 'v2.0' },
      output: { id: '345678901234567890', content: 'Version v2.0 is out.' },
    },
  ],
  guidance:
    'Needs a credential: discordBotApi, or the matching one with authentication oAuth2 or webhook. A webhook can only send. To ask somebody and wait for the answer, use HUMAN_IN_THE_LOOP.DISCORD_INTERACTION.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Discord',
        parameters: {
          authentication: 'botToken',
          resource: 'message',
          operation: 'send',
          guildId: { __rl: true, mode: 'id', value: '={{ $json.guildId }}' },
          sendTo: 'channel',
          channelId: { __rl: true, mode: 'id', value: '={{ $json.channelId }}' },
          content: '={{ $json.text }}',
          options: {},
        },
      }),
    ],
    connections: {},
  }),
};
