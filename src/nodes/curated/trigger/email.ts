import { fragmentNode } from '../../fragments/fragment.ts';
import { itemsOut } from '../ports.ts';
import type { CuratedSpec } from '../spec.ts';

const NODE = 'n8n-nodes-base.emailReadImap';

export const emailTrigger: CuratedSpec = {
  type: 'TRIGGER',
  subtype: 'EMAIL',
  nodes: [NODE],
  names: true,
  description: 'Starts the workflow when a mail arrives in a mailbox that is read by IMAP.',
  configurations: {
    mailbox: { type: 'string', description: 'Folder that is watched', default: 'INBOX', at: 'Email: mailbox' },
    after_reading: {
      type: 'string',
      description: 'Mark the mail as read, or leave it as it is',
      default: 'read',
      options: ['read', 'nothing'],
      at: 'Email: postProcessAction',
    },
    format: {
      type: 'string',
      description:
        'simple: the text and the main headers; resolved: everything parsed, attachments as files; raw: as it was sent',
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
      description: 'Which mails, as a JSON list of IMAP search terms',
      default: '["UNSEEN"]',
      at: 'Email: options.customEmailConfig',
    },
  },
  inputParams: {},
  outputParams: {
    from: { type: 'string', description: 'Sender' },
    to: { type: 'string', description: 'Addressees' },
    subject: { type: 'string', description: 'Subject line' },
    textPlain: { type: 'string', description: 'Text of the mail' },
    textHtml: { type: 'string', description: 'The same as HTML, where the sender gave one' },
    date: { type: 'string', description: 'When it was sent' },
    metadata: { type: 'object', description: 'Further headers' },
  },
  inputPorts: [],
  outputPorts: [itemsOut('Email', 'One item for each mail')],
  tags: ['trigger', 'email', 'imap', 'mail', 'inbox'],
  examples: [
    {
      name: 'Invoices by mail',
      description: 'Unread mails about invoices, with what is attached.',
      configurations: { format: 'simple', download_attachments: true, search: '["UNSEEN", ["SUBJECT", "invoice"]]' },
      output: { from: 'Ann <ann@example.com>', subject: 'Invoice 17', textPlain: 'Please find it attached.' },
    },
  ],
  guidance:
    'Needs an IMAP credential. For Gmail and Outlook their own triggers (TRIGGER.GMAIL, TRIGGER.MICROSOFT_OUTLOOK) work with a login instead of an IMAP password.',
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
