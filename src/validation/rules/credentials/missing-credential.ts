import type { Rule } from '../../rule.ts';
import { missing, needsOf, signsIn, wrongOnes } from '../../credentials/needs.ts';

/**
 * n8n refuses to publish it, and a run stops at the node. Still a workflow from somewhere else never has its
 * credentials: before that it is only a warning.
 */
export const missingCredential: Rule = {
  id: 'missing-credential',
  group: 'credentials',
  title: 'Every node has the credentials that it needs as it is configured.',
  severity: { run: 'warning', publish: 'error' },
  check(subject, report) {
    for (const node of subject.nodes) {
      if (!signsIn(node)) continue;
      const needs = needsOf(node);
      if (!needs || needs.required.length === 0) continue;
      // A wrong one is there instead: that is the finding.
      if (wrongOnes(needs, node.raw).length > 0) continue;
      for (const { type, displayName } of missing(needs, node.raw)) {
        report({
          node: node.name,
          path: node.pointer,
          message: `This node needs a credential of the type ${type}${displayName === type ? '' : ` (${displayName})`} and has none. Choose one in n8n, or give "credentials": { "${type}": { "id": "…", "name": "…" } }; n8n_list_credentials shows those there are.`,
        });
      }
    }
  },
};
