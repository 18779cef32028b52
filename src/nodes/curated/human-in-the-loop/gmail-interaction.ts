import { interaction } from './interaction.ts';

export const gmailInteraction = interaction({
  subtype: 'GMAIL_INTERACTION',
  node: 'n8n-nodes-base.gmail',
  asking: 'Ask by Gmail',
  title: 'an email from Gmail',
  credential: 'gmailOAuth2',
  configurations: {
    to: {
      type: 'string',
      description: 'Email address of one person',
      required: true,
      default: '',
      validationPattern: '^(=.+|[^@\\s,]+@[^@\\s,]+)$',
      at: 'Ask by Gmail: sendTo',
    },
    subject: {
      type: 'string',
      description: 'Subject line',
      required: true,
      default: 'Please decide',
      at: 'Ask by Gmail: subject',
    },
  },
  parameters: {
    authentication: 'oAuth2',
    resource: 'message',
    operation: 'sendAndWait',
    sendTo: '',
    subject: 'Please decide',
  },
  tags: ['gmail', 'google', 'email'],
  example: {
    name: 'Let the editor decide',
    description: 'Publishes a draft if the editor agrees. Comments go to the branch unrelated.',
    configurations: {
      question: '=Publish "{{ $json.title }}"?',
      to: 'editor@example.com',
      subject: 'A draft is waiting',
      timeout: 2,
      timeout_unit: 'days',
    },
    input: { title: 'Sluices of the north' },
    output: { title: 'Sluices of the north', verdict: 'unrelated', answer: 'Shorten the second paragraph, please.' },
  },
});
