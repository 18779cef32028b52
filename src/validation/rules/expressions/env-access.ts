import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** From version 2 on n8n denies it unless told otherwise. */
export const envAccess: Rule = {
  id: 'env-access',
  group: 'expressions',
  title: 'The environment of n8n is not read: n8n denies that by default.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    for (const { node, pointer, scripts } of codeTexts(subject)) {
      if (!scripts.some(({ names }) => names.free.some(({ name }) => name === '$env'))) continue;
      report({
        node: node.name,
        path: pointer,
        message:
          'n8n denies $env unless N8N_BLOCK_ENV_ACCESS_IN_NODE is false on the instance. A credential or $vars works everywhere.',
      });
    }
  },
};
