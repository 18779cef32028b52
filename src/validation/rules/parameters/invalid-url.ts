import type { Rule } from '../../rule.ts';
import { type CheckedField, givenFields } from '../../parameters/checked-fields.ts';
import { isPlaceholder, namesAnAddress } from '../../parameters/left-open.ts';
import { urlProblem } from '../../parameters/url-text.ts';
import { called, quoted } from '../../messages/wording.ts';

/** Nodes that call the URL themselves, so they need a complete one. Elsewhere a URL is data and not checked. */
const callers: ReadonlyMap<string, string> = new Map([
  ['n8n-nodes-base.httpRequest', 'url'],
  ['n8n-nodes-base.httpRequestTool', 'url'],
  ['@n8n/n8n-nodes-langchain.toolHttpRequest', 'url'],
  ['n8n-nodes-base.graphql', 'endpoint'],
  ['n8n-nodes-base.graphqlTool', 'endpoint'],
  ['n8n-nodes-base.rssFeedRead', 'url'],
  ['n8n-nodes-base.rssFeedReadTool', 'url'],
  ['n8n-nodes-base.rssFeedReadTrigger', 'feedUrl'],
  ['n8n-nodes-base.sseTrigger', 'url'],
  ['@n8n/n8n-nodes-langchain.mcpClientTool', 'endpointUrl'],
  ['@n8n/n8n-nodes-langchain.mcpClient', 'endpointUrl'],
]);

export const invalidUrl: Rule = {
  id: 'invalid-url',
  group: 'parameters',
  title: 'A URL that a node calls is complete: scheme and host, no placeholder.',
  severity: 'error',
  check(subject, report) {
    for (const field of givenFields(subject, 'string')) {
      if (!isCalled(field) || typeof field.value !== 'string') continue;
      const problem = urlProblem(field.value);
      if (problem === undefined) continue;
      // Left for the next user to fill in, like a credential.
      const isOpen = subject.purpose === 'run' && (isPlaceholder(field.value) || namesAnAddress(field.value));
      const whole = /^[\w-]+(\.[\w-]+)+([/:?#]\S*)?$/.test(field.value) ? `https://${field.value}` : undefined;
      report({
        node: field.node.name,
        path: field.pointer,
        message: `${called(field.property)}: ${quoted(field.value)} is not a URL that n8n can call: ${problem}.`,
        ...(isOpen && { severity: 'warning' as const }),
        ...(whole !== undefined && {
          fix: {
            description: 'Put https:// in front.',
            safe: false,
            changes: 'The node sends the request. Now it fails.',
            patch: [{ op: 'replace', path: field.pointer, value: whole }],
          },
        }),
      });
    }
  },
};

function isCalled({ node, property, path }: CheckedField): boolean {
  return path.length === 1 && callers.get(node.type) === property.name;
}
