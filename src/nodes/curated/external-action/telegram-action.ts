import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsIn, itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.telegram';

export const telegramAction: CuratedSpec = {
  type: 'EXTERNAL_ACTION',
  subtype: 'TELEGRAM_ACTION',
  nodes: [NODE],
  names: true,
  description: 'Sends messages, pictures and files with a Telegram bot, and manages chats.',
  configurations: {
    resource: {
      type: 'string',
      description: 'What to work on',
      default: 'message',
      options: ['message', 'chat', 'callback', 'file'],
      at: 'Telegram: resource',
    },
    operation: {
      type: 'string',
      description: 'What to do; get_node_details with resource and operation shows the parameters',
      default: 'sendMessage',
      at: 'Telegram: operation',
    },
    chat_id: {
      type: 'string',
      description: 'Chat id, or @name of a public channel',
      required: true,
      default: '={{ $json.chat_id }}',
      at: 'Telegram: chatId',
    },
    text: {
      type: 'string',
      description: 'The message',
      required: true,
      default: '={{ $json.text }}',
      at: 'Telegram: text',
    },
    parse_mode: {
      type: 'string',
      description: 'Markup of the text',
      default: 'HTML',
      options: ['HTML', 'Markdown', 'MarkdownV2'],
      at: 'Telegram: additionalFields.parse_mode',
    },
  },
  inputParams: {
    chat_id: { type: 'string', description: 'Chat to send to', required: true, default: '' },
    text: { type: 'string', description: 'The message', required: true, default: '' },
  },
  outputParams: {
    ok: { type: 'boolean', description: 'Whether Telegram accepted it' },
    result: { type: 'object', description: 'The message: message_id, chat, date, text' },
  },
  inputPorts: [itemsIn('Telegram', 'One message for each item')],
  outputPorts: [itemsOut('Telegram', "Telegram's response")],
  tags: ['telegram', 'chat', 'bot', 'message', 'notification', 'communication'],
  examples: [
    {
      name: 'Send an alert',
      description: 'When a check fails.',
      configurations: { chat_id: '123456789', text: '=<b>{{ $json.check }}</b> failed.' },
      input: { check: 'backup' },
      output: { ok: true, result: { message_id: 5 } },
    },
  ],
  guidance:
    'Needs a credential (telegramApi, the token of a bot). A bot can only message people who wrote to it first. n8n appends a line about itself unless additionalFields.appendAttribution is false. To ask somebody and wait for the answer, use HUMAN_IN_THE_LOOP.TELEGRAM_INTERACTION.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Telegram',
        parameters: {
          resource: 'message',
          operation: 'sendMessage',
          chatId: '={{ $json.chat_id }}',
          text: '={{ $json.text }}',
          additionalFields: { parse_mode: 'HTML', appendAttribution: false },
        },
      }),
    ],
    connections: {},
  }),
};
