import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'collection-shape';
const request = (options: unknown) => one('httpRequest', 4.2, { url: 'https://example.com', options });

export const cases: Case[] = [
  valid('an object', request({ timeout: 1000 })),
  valid('nothing in it', request({})),
  broken('a list', request([{ timeout: 1000 }]), [
    { rule, path: at('options'), severity: 'error', fixed: request({ timeout: 1000 }) },
  ]),
  broken('a string', request('timeout=1000'), [{ rule, path: at('options') }]),
];
