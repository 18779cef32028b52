import { broken, type Case, valid } from '../../case.ts';
import { alone, at, one } from '../../one-node.ts';

const rule = 'list-shape';
const trigger = (updates: unknown) => one('telegramTrigger', 1.2, { updates });

export const cases: Case[] = [
  valid('a list of choices', trigger(['message']), { ...alone, warnings: ['missing-credential', 'wrong-input-kind'] }),
  valid('an expression that gives one', trigger('={{ ["message"] }}'), {
    ...alone,
    warnings: ['missing-credential', 'wrong-input-kind'],
  }),
  broken(
    'one choice without its list',
    trigger('message'),
    [{ rule, path: at('updates'), severity: 'error', fixed: trigger(['message']) }],
    alone,
  ),
];
