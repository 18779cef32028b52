import type { Rule } from '../../rule.ts';
import { missing, needsOf, signsIn, wrongOnes } from '../../credentials/needs.ts';

/**
 * n8n refuses to publish the workflow, and a run stops at the node. But a workflow from elsewhere never brings its
 * credentials, so until it is published this is only a warning.
 */
export const missingCredential: Rule = {
  id: 'missing-credential',
  group: 'credentials',
  title: 'Every node has the credentials that its configuration needs.',
  severity: { run: 'warning', publish: 'error' },
  check(subject, report) {
    for (const node of subject.nodes) {
      if (!signsIn(node)) continue;
      const needs = needsOf(node);
      if (!needs || needs.required.length === 0) continue;
      // It has a credential of the wrong type: another rule reports that.
      if (wrongOnes(needs, node.raw).length > 0) continue;
      for (const { type, displayName } of missing(needs, node.raw)) {
        report({
          node: node.name,
          path: node.pointer,
          message: `This node needs a credential of type ${type}${displayName === type ? '' : ` (${displayName})`} and has none. Choose one in n8n, or set "credentials": { "${type}": { "id": "…", "name": "…" } }. n8n_list_credentials lists yours.`,
        });
      }
    }
  },
};
