import type { Rule } from '../../rule.ts';
import { type CheckedField, givenFields } from '../../parameters/checked-fields.ts';
import { isPlaceholder, namesAnAddress } from '../../parameters/left-open.ts';
import { urlProblem } from '../../parameters/url-text.ts';
import { called, quoted } from '../../messages/wording.ts';

/** Nodes that call the URL themselves, and so need a whole one. Elsewhere a URL is data, and none of our business. */
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
  title: 'A URL that is called is whole: scheme and host, no placeholder.',
  severity: 'error',
  check(subject, report) {
    for (const field of givenFields(subject, 'string')) {
      if (!isCalled(field) || typeof field.value !== 'string') continue;
      const problem = urlProblem(field.value);
      if (problem === undefined) continue;
      // Left to whoever takes the workflow over, like a credential.
      const isOpen = subject.purpose === 'run' && (isPlaceholder(field.value) || namesAnAddress(field.value));
      const whole = /^[\w-]+(\.[\w-]+)+([/:?#]\S*)?$/.test(field.value) ? `https://${field.value}` : undefined;
      report({
        node: field.node.name,
        path: field.pointer,
        message: `${called(field.property)}: ${quoted(field.value)} cannot be called: ${problem}.`,
        ...(isOpen && { severity: 'warning' as const }),
        ...(whole !== undefined && {
          fix: {
            description: 'Put https:// before it',
            safe: false,
            changes: 'The request goes out; now it fails.',
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
