import type { Rule } from '../rule.ts';
import { connectionRules } from './connections/index.ts';
import { credentialRules } from './credentials/index.ts';
import { expressionRules } from './expressions/index.ts';
import { lintRules } from './lint/index.ts';
import { parameterRules } from './parameters/index.ts';
import { structureRules } from './structure/index.ts';
import { suggestionRules } from './suggestions/index.ts';
import { webhookRules } from './webhooks/index.ts';

/** Every rule, by group. */
export const rules: readonly Rule[] = [
  ...structureRules,
  ...parameterRules,
  ...connectionRules,
  ...expressionRules,
  ...webhookRules,
  ...credentialRules,
  ...lintRules,
  ...suggestionRules,
];
