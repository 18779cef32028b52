import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'unknown-operation';
const gmail = (operation: string, more: object = {}) => one('gmail', 2.1, { resource: 'message', operation, ...more });
const id = { messageId: 'abc' };

export const cases: Case[] = [
  valid('an operation of its resource', gmail('markAsRead', id), { ...alone, warnings: ['missing-credential'] }),
  valid('one from an expression', gmail('={{ $json.operation }}', id), {
    ...alone,
    warnings: ['expression-not-taken', 'missing-credential'],
  }),
  broken(
    'an operation that does not exist',
    gmail('sendAll'),
    [{ rule, path: at('operation'), severity: 'error', says: 'markAsRead' }],
    alone,
  ),
  broken(
    'an operation of another resource',
    one('slack', 2.3, { resource: 'channel', operation: 'update' }),
    [{ rule, path: at('operation'), says: 'belongs to the resource' }],
    alone,
  ),
  broken(
    'an operation in the wrong case',
    gmail('MarkAsRead', id),
    [{ rule, path: at('operation'), fixed: gmail('markAsRead', id) }],
    alone,
  ),
];
