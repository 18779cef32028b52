import { broken, type Case, valid } from '../../case.ts';
import { one } from '../../one-node.ts';

const rule = 'retry-limits';
const tried = (more: Record<string, unknown>) =>
  one('httpRequest', 4.2, { url: 'https://example.com', options: {} }, { retryOnFail: true, ...more });

export const cases: Case[] = [
  valid('the maximum', tried({ maxTries: 5, waitBetweenTries: 5000 })),
  valid('no numbers', tried({})),
  valid('numbers that have no effect', tried({ retryOnFail: false, maxTries: 10 })),
  broken('ten tries', tried({ maxTries: 10 }), [
    { rule, path: '/nodes/1/maxTries', severity: 'warning', says: '2 to 5', fixed: tried({ maxTries: 5 }) },
  ]),
  broken('one try', tried({ maxTries: 1 }), [{ rule, path: '/nodes/1/maxTries', fixed: tried({ maxTries: 2 }) }]),
  broken('a minute in between', tried({ waitBetweenTries: 60_000 }), [
    { rule, path: '/nodes/1/waitBetweenTries', severity: 'warning', fixed: tried({ waitBetweenTries: 5000 }) },
  ]),
];
