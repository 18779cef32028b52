import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'credential-without-id';
const mail = (smtp: unknown) =>
  flow(
    [
      node('Start', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } }),
      node(
        'Mail',
        'emailSend',
        2.1,
        {
          fromEmail: 'a@example.com',
          toEmail: 'b@example.com',
          subject: 'A',
          emailFormat: 'text',
          text: 'B',
          options: {},
        },
        { credentials: { smtp } },
      ),
    ],
    ['Start -> Mail'],
  );
const path = '/nodes/1/credentials/smtp';

export const cases: Case[] = [
  valid('an id', mail({ id: 'a', name: 'Mail' })),
  broken('a name only', mail({ name: 'Mail' }), [{ rule, path, severity: 'warning', fixed: null }]),
  broken('an id of null, for publishing', mail({ id: null, name: 'Mail' }), [{ rule, path, severity: 'error' }], {
    purpose: 'publish',
  }),
  broken(
    'a name that the instance knows',
    mail({ name: 'Mail' }),
    [{ rule, path, fixed: mail({ id: 'x1', name: 'Mail' }) }],
    { world: { credentials: [{ id: 'x1', name: 'Mail', type: 'smtp' }] } },
  ),
  broken(
    'a name that the instance knows, beside others of the type',
    mail({ name: 'Mail' }),
    [{ rule, path, fixed: mail({ id: 'x1', name: 'Mail' }) }],
    {
      world: {
        credentials: [
          { id: 'x1', name: 'Mail', type: 'smtp' },
          { id: 'x2', name: 'Old mail', type: 'smtp' },
        ],
      },
    },
  ),
];
