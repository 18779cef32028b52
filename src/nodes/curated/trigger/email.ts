import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.emailReadImap';

export const emailTrigger: CuratedSpec = {
  type: 'TRIGGER',
  subtype: 'EMAIL',
  nodes: [NODE],
  names: true,
  description: 'Starts the workflow when an email arrives in an IMAP mailbox.',
  configurations: {
    mailbox: { type: 'string', description: 'Folder to watch', default: 'INBOX', at: 'Email: mailbox' },
    after_reading: {
      type: 'string',
      description: 'Mark the email as read, or leave it unchanged',
      default: 'read',
      options: ['read', 'nothing'],
      at: 'Email: postProcessAction',
    },
    format: {
      type: 'string',
      description:
        'simple: text and main headers; resolved: everything parsed, attachments as files; raw: the original source',
      default: 'simple',
      options: ['simple', 'resolved', 'raw'],
      at: 'Email: format',
    },
    download_attachments: {
      type: 'boolean',
      description: 'With the simple format: attachments become attachment_0, attachment_1, …',
      default: false,
      at: 'Email: downloadAttachments',
    },
    search: {
      type: 'string',
      description: 'Emails to read, as a JSON list of IMAP search terms',
      default: '["UNSEEN"]',
      at: 'Email: options.customEmailConfig',
    },
  },
  inputParams: {},
  outputParams: {
    from: { type: 'string', description: 'Sender' },
    to: { type: 'string', description: 'Recipients' },
    subject: { type: 'string', description: 'Subject line' },
    textPlain: { type: 'string', description: 'Plain text of the email' },
    textHtml: { type: 'string', description: 'HTML version, if the sender included one' },
    date: { type: 'string', description: 'Time it was sent' },
    metadata: { type: 'object', description: 'Other headers' },
  },
  inputPorts: [],
  outputPorts: [itemsOut('Email', 'One item per email')],
  tags: ['trigger', 'email', 'imap', 'mail', 'inbox'],
  examples: [
    {
      name: 'Invoices by email',
      description: 'Unread emails about invoices, with attachments.',
      configurations: { format: 'simple', download_attachments: true, search: '["UNSEEN", ["SUBJECT", "invoice"]]' },
      output: { from: 'Ann <ann@example.com>', subject: 'Invoice 17', textPlain: 'Please find it attached.' },
    },
  ],
  guidance:
    'Needs an IMAP credential. For Gmail and Outlook, use TRIGGER.GMAIL and TRIGGER.MICROSOFT_OUTLOOK, which need a login instead of an IMAP password.',
  fragment: (catalogue) => ({
    nodes: [
      fragmentNode(catalogue, NODE, {
        name: 'Email',
        parameters: {
          mailbox: 'INBOX',
          postProcessAction: 'read',
          format: 'simple',
          downloadAttachments: false,
          options: { customEmailConfig: '["UNSEEN"]' },
        },
      }),
    ],
    connections: {},
  }),
};
