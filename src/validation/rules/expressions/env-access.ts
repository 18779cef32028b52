import { codeTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** Since version 2, n8n blocks this by default. */
export const envAccess: Rule = {
  id: 'env-access',
  group: 'expressions',
  title: 'Nothing reads environment variables with $env, which n8n blocks by default.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    for (const { node, pointer, scripts } of codeTexts(subject)) {
      if (!scripts.some(({ names }) => names.free.some(({ name }) => name === '$env'))) continue;
      report({
        node: node.name,
        path: pointer,
        message:
          'n8n blocks $env unless N8N_BLOCK_ENV_ACCESS_IN_NODE is false on the instance. Use a credential or $vars instead.',
      });
    }
  },
};
