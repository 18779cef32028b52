import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'invalid-date';
const wait = (dateTime: string) => one('wait', 1.1, { resume: 'specificTime', dateTime });

export const cases: Case[] = [
  valid('a date', wait('2026-03-31T09:00:00')),
  valid('a date from an expression', wait('={{ $now.plus(1, "day") }}')),
  broken('a word', wait('tomorrow'), [{ rule, path: at('dateTime'), severity: 'error' }]),
  broken('a month that does not exist', wait('2026-13-01T09:00:00'), [
    { rule, path: at('dateTime'), severity: 'error' },
  ]),
  broken('a day that the month does not have', wait('2026-02-30'), [
    { rule, path: at('dateTime'), severity: 'warning', says: 'does not exist' },
  ]),
];
