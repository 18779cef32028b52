import { interaction } from './interaction.ts';

export const discordInteraction = interaction({
  subtype: 'DISCORD_INTERACTION',
  node: 'n8n-nodes-base.discord',
  asking: 'Ask in Discord',
  title: 'Discord',
  credential: 'discordBotApi (or discordOAuth2Api with authentication oAuth2)',
  configurations: {
    server: {
      type: 'string',
      description: 'Id of the server',
      required: true,
      default: '',
      validationPattern: '^\\d+$',
      at: 'Ask in Discord: guildId.value',
    },
    channel: {
      type: 'string',
      description: 'Channel id; to ask one person, set sendTo to user and userId instead',
      required: true,
      default: '',
      validationPattern: '^\\d+$',
      at: 'Ask in Discord: channelId.value',
    },
  },
  parameters: {
    authentication: 'botToken',
    resource: 'message',
    operation: 'sendAndWait',
    guildId: { __rl: true, mode: 'id', value: '' },
    sendTo: 'channel',
    channelId: { __rl: true, mode: 'id', value: '' },
  },
  tags: ['discord', 'chat'],
  example: {
    name: 'Moderators decide',
    description: 'Removes a reported post after a yes.',
    configurations: {
      question: '=Remove the post {{ $json.url }}?',
      server: '123456789012345678',
      channel: '234567890123456789',
      timeout: 6,
      timeout_unit: 'hours',
    },
    input: { url: 'https://example.com/posts/7' },
    output: { url: 'https://example.com/posts/7', verdict: 'timeout', answer: '', responded_at: null },
  },
});
