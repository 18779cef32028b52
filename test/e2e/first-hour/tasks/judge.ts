import { expect } from 'vitest';
import type { Json } from '../../../integration/harness.ts';
import type { Task } from '../task.ts';

interface Judged {
  valid: boolean;
  counts: { error: number; warning: number };
  findings: { rule: string; severity: string; message: string }[];
}

const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, position: [0, 0], parameters: {} };
const node = (name: string, type: string, typeVersion: number, parameters: Json) => ({
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion,
  position: [220, 0],
  parameters,
});
const text = (value: string) =>
  node('Text', 'set', 3.4, { assignments: { assignments: [{ id: '1', name: 'text', type: 'string', value }] } });
const from = (...nodes: { name: string }[]) => ({
  name: 'judged',
  nodes,
  connections: Object.fromEntries(
    nodes
      .slice(0, -1)
      .map(({ name }, at) => [name, { main: [[{ node: nodes[at + 1]?.name, type: 'main', index: 0 }]] }]),
  ),
  settings: { executionOrder: 'v1' },
});
const clock = (expression: string) =>
  node('Clock', 'scheduleTrigger', 1.2, { rule: { interval: [{ field: 'cronExpression', expression }] } });
const hook = (more: Json = {}) =>
  node('In', 'webhook', 2, { path: 'judged', httpMethod: 'POST', responseMode: 'lastNode', ...more });
const request = (more: Json = {}) => node('Get', 'httpRequest', 4.2, { url: 'https://example.com/a', ...more });

/** A fault, and a word that its finding must contain. */
const broken: [what: string, workflow: Json, word: RegExp][] = [
  ['a cron that never comes due', from(clock('99 99 * * *'), text('a')), /99 99/],
  ['a type that there is not', from(start, node('Odd', 'slak', 1, {})), /slak/],
  ['a node that is not there', from(start, text('={{ $("Nowhere").item.json.a }}')), /Nowhere/],
  ['an expression without its end', from(start, text('={{ $json.a ')), /\}\}/],
  [
    'an operation that there is not',
    from(start, node('S', 'slack', 2.2, { resource: 'message', operation: 'fly' })),
    /fly/,
  ],
  ['code that cannot be read', from(start, node('C', 'code', 2, { jsCode: 'return [' })), /JavaScript/],
  ['a method that there is not', from(start, text('={{ $json.a.toUppercase() }}')), /toUpperCase/],
  ['no URL to call', from(start, request({ url: '' })), /url/i],
  ['an answer that nobody gives', from(hook({ responseMode: 'responseNode' }), text('a')), /Respond/],
  ['a setting that there is not', from(start, request({ metod: 'POST' })), /metod/],
];

const good: [what: string, workflow: Json][] = [
  ['by hand', from(start, text('={{ $now.toISO() }}'))],
  ['by the clock', from(clock('0 9 * * 1-5'), text('a'))],
  ['by webhook', from(hook(), text('={{ $json.body.name.toUpperCase() }}'))],
  ['with a request', from(start, request({ options: { timeout: 5000 } }))],
  ['with code', from(start, node('C', 'code', 2, { jsCode: 'return $input.all().map(({ json }) => ({ json }));' }))],
];

/** "Is this workflow all right?" */
export const judge: Task = {
  name: 'Judge ten broken and five good workflows',
  most: { calls: 15, kilobytes: 30 },
  async run(assistant) {
    for (const [what, workflow, word] of broken) {
      const judged = await assistant.read<Judged>('n8n_validate_workflow', { workflow });
      const errors = judged.findings.filter(({ severity }) => severity === 'error');
      expect(errors.map(({ message }) => message).join('\n'), what).toMatch(word);
      expect(judged.valid, what).toBe(false);
    }
    for (const [what, workflow] of good) {
      const judged = await assistant.read<Judged>('n8n_validate_workflow', { workflow });
      expect(
        judged.findings.filter(({ severity }) => severity !== 'info'),
        what,
      ).toEqual([]);
    }
  },
};
