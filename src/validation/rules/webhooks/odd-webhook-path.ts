import type { LikelyFix } from '../../finding.ts';
import { shownValue } from '../../messages/kind-of.ts';
import type { Rule } from '../../rule.ts';
import { opensWebhooks } from '../../webhooks/registered-webhooks.ts';

export const oddWebhookPath: Rule = {
  id: 'odd-webhook-path',
  group: 'webhooks',
  title: 'The path of a webhook is what stands in a URL after /webhook/.',
  severity: { run: 'warning', publish: 'warning' },
  check({ nodes, catalogue }, report) {
    for (const node of nodes) {
      const given = node.parameters['path'];
      if (typeof given !== 'string' || given.startsWith('=') || node.disabled || !opensWebhooks(node.type, catalogue))
        continue;
      const problem = problemOf(given);
      if (problem === undefined) continue;
      const path = `${node.pointer}/parameters/path`;
      const value = withoutAddress(given);
      const fix: LikelyFix = {
        description: `Use ${shownValue(value)}.`,
        safe: false,
        changes: 'The webhook has another address.',
        patch: [{ op: 'replace', path, value }],
      };
      report({
        path,
        node: node.name,
        message: `The path ${shownValue(given)} of "${node.name}" ${problem}. Use letters, digits, hyphens and slashes; ":name" stands for a part that varies.`,
        ...(isPath(value) && { fix }),
      });
    }
  },
};

function problemOf(path: string): string | undefined {
  if (/^https?:\/\//i.test(path)) return 'is a whole URL, and n8n puts its own address in front of it';
  if (/^\/?webhook(-test)?\//i.test(path))
    return 'begins with "webhook/", which n8n puts in front of it anyway, so that it is there twice';
  if (/[?#]/.test(path))
    return 'holds a "?" or "#", after which nothing belongs to the path any more, so that no call ever gets there';
  if (/\s/.test(path.trim())) return 'holds spaces, which a caller has to write as %20';
  return undefined;
}

/** Nobody means a page of text. */
const isPath = (text: string): boolean => text !== '' && text.length <= 200 && problemOf(text) === undefined;

function withoutAddress(path: string): string {
  return path
    .trim()
    .replace(/^https?:\/\/[^/]*\/?/i, '')
    .replace(/^\/?webhook(-test)?\//i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\s+/g, '-');
}
