import { interaction } from './interaction.ts';

export const outlookInteraction = interaction({
  subtype: 'OUTLOOK_INTERACTION',
  node: 'n8n-nodes-base.microsoftOutlook',
  asking: 'Ask by Outlook',
  title: 'an email from Outlook',
  credential: 'microsoftOutlookOAuth2Api',
  configurations: {
    to: {
      type: 'string',
      description: 'Email addresses, separated by commas; the first answer counts',
      required: true,
      default: '',
      at: 'Ask by Outlook: toRecipients',
    },
    subject: {
      type: 'string',
      description: 'Subject line',
      required: true,
      default: 'Please decide',
      at: 'Ask by Outlook: subject',
    },
  },
  parameters: { resource: 'message', operation: 'sendAndWait', toRecipients: '', subject: 'Please decide' },
  tags: ['outlook', 'microsoft', 'email'],
  example: {
    name: 'Approve an order',
    description: 'Orders above a limit need a yes from the head of purchasing.',
    configurations: {
      question: '=Order {{ $json.item }} for {{ $json.price }} €?',
      to: 'purchasing@example.com',
      timeout: 1,
      timeout_unit: 'days',
    },
    input: { item: 'Laptop', price: 1800 },
    output: { item: 'Laptop', price: 1800, verdict: 'rejected', answer: 'no' },
  },
});
