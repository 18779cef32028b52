import type { LikelyFix } from '../../finding.ts';
import { shownValue } from '../../messages/kind-of.ts';
import type { Rule } from '../../rule.ts';
import { opensWebhooks } from '../../webhooks/registered-webhooks.ts';

export const oddWebhookPath: Rule = {
  id: 'odd-webhook-path',
  group: 'webhooks',
  title: 'A webhook path is the part of the URL after /webhook/.',
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
        changes: 'The URL of the webhook changes.',
        patch: [{ op: 'replace', path, value }],
      };
      report({
        path,
        node: node.name,
        message: `The path ${shownValue(given)} of "${node.name}" ${problem}. Use letters, digits, hyphens and slashes, and ":name" for a part that varies.`,
        ...(isPath(value) && { fix }),
      });
    }
  },
};

function problemOf(path: string): string | undefined {
  if (/^https?:\/\//i.test(path)) return 'is a full URL, but n8n puts its own address in front';
  if (/^\/?webhook(-test)?\//i.test(path))
    return 'starts with "webhook/", which n8n adds itself, so the URL has it twice';
  if (/[?#]/.test(path)) return 'contains "?" or "#", where a path ends, so no call ever reaches it';
  if (/\s/.test(path.trim())) return 'contains spaces, which callers must write as %20';
  return undefined;
}

/** Longer text is not meant as a path. */
const isPath = (text: string): boolean => text !== '' && text.length <= 200 && problemOf(text) === undefined;

function withoutAddress(path: string): string {
  return path
    .trim()
    .replace(/^https?:\/\/[^/]*\/?/i, '')
    .replace(/^\/?webhook(-test)?\//i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\s+/g, '-');
}
