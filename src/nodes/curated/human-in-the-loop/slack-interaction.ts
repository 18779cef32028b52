import { interaction } from './interaction.ts';

export const slackInteraction = interaction({
  subtype: 'SLACK_INTERACTION',
  node: 'n8n-nodes-base.slack',
  asking: 'Ask in Slack',
  title: 'Slack',
  credential: 'slackApi (or slackOAuth2Api with authentication oAuth2)',
  configurations: {
    channel: {
      type: 'string',
      description: 'Channel id (C0123456789); to ask one person, set select to user and user instead',
      required: true,
      default: '',
      validationPattern: '^[A-Z0-9]{2,}$',
      at: 'Ask in Slack: channelId.value',
    },
  },
  parameters: {
    resource: 'message',
    operation: 'sendAndWait',
    select: 'channel',
    channelId: { __rl: true, mode: 'id', value: '' },
  },
  tags: ['slack', 'chat'],
  example: {
    name: 'Before a refund',
    description: 'Pays a refund only after somebody in the channel agrees.',
    configurations: {
      question: '=Refund {{ $json.amount }} € to {{ $json.customer }}?',
      channel: 'C0123456789',
      timeout: 4,
      timeout_unit: 'hours',
    },
    input: { amount: 30, customer: 'Ada' },
    output: {
      amount: 30,
      customer: 'Ada',
      verdict: 'confirmed',
      answer: 'yes',
      responded_at: '2027-01-12T10:00:00.000Z',
    },
  },
});
