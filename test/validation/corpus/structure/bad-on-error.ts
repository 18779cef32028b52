import { broken, type Case, changed, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'bad-on-error';
const path = '/nodes/2/onError';
const of = (value: string) => changed(sound, path, value);

export const cases: Case[] = [
  valid('stopWorkflow', of('stopWorkflow')),
  valid('continueRegularOutput', of('continueRegularOutput')),
  broken('an unknown value', of('ignore'), [{ rule, path, severity: 'error' }]),
  broken('another spelling', of('continueregularoutput'), [{ rule, path, fixed: of('continueRegularOutput') }]),
  broken('a misspelling', of('continueErrorOutputs'), [{ rule, path, fixed: of('continueErrorOutput') }], {
    groups: ['structure'],
  }),
  broken('an empty string', of(''), [{ rule, path }]),
];
