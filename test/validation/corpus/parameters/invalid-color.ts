import { broken, type Case, valid } from '../../case.ts';
import { at, one } from '../../one-node.ts';

const rule = 'invalid-color';
const image = (backgroundColor: string) => one('editImage', 1, { operation: 'create', backgroundColor });

export const cases: Case[] = [
  valid('a colour', image('#ff6d5aff')),
  broken('a number that is too long', image('#ff6d5a123'), [
    { rule, path: at('backgroundColor'), severity: 'warning' },
  ]),
];
