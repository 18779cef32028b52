import { interaction } from './interaction.ts';

export const telegramInteraction = interaction({
  subtype: 'TELEGRAM_INTERACTION',
  node: 'n8n-nodes-base.telegram',
  asking: 'Ask by Telegram',
  title: 'a Telegram bot',
  credential: 'telegramApi',
  configurations: {
    chat_id: {
      type: 'string',
      description: 'Id of the chat with the person, or of a group',
      required: true,
      default: '={{ $json.chat_id }}',
      at: 'Ask by Telegram: chatId',
    },
  },
  parameters: { resource: 'message', operation: 'sendAndWait', chatId: '={{ $json.chat_id }}' },
  tags: ['telegram', 'chat', 'bot'],
  example: {
    name: 'Restart the server?',
    description: 'Asks the person on duty before a restart.',
    configurations: {
      question: '=Restart {{ $json.host }}?',
      chat_id: '123456789',
      timeout: 15,
      timeout_unit: 'minutes',
    },
    input: { host: 'db-1', chat_id: '123456789' },
    output: { host: 'db-1', chat_id: '123456789', verdict: 'confirmed', answer: 'go ahead' },
  },
  remark: 'Without https, Telegram shows the link as text instead of a button.',
});
