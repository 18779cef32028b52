import { broken, type Case } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'expression-empty';

export const cases: Case[] = [
  broken('nothing in it', withValue('={{ }}'), [{ rule, path: value, severity: 'error' }]),
  broken('nothing at all in it', withValue('=a {{}} b'), [{ rule, path: value, severity: 'error', says: 'column 3' }]),
  broken('only a comment in it', withValue('={{ /* later */ }}'), [{ rule, path: value, severity: 'error' }]),
];
