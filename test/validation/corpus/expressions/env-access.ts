import { broken, type Case } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

export const cases: Case[] = [
  broken('the environment', withValue('={{ $env.API_URL }}'), [
    { rule: 'env-access', path: value, severity: 'warning' },
  ]),
];
