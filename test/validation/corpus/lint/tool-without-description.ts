import { broken, type Case, flow, node, valid } from '../../case.ts';

const rule = 'tool-without-description';
const lint = { groups: ['lint' as const] };
const withTool = (type: string, version: number, parameters: Record<string, unknown>) =>
  flow(
    [
      node('Chat', 'ai:chatTrigger', 1.5, { options: {} }),
      node('Agent', 'ai:agent', 3.1, { options: {} }),
      node('Tool', type, version, parameters),
    ],
    ['Chat -> Agent', 'Tool -ai_tool-> Agent'],
  );
/** Its agent has no model, which does not matter here. */
const unserved = { ...lint, warnings: ['missing-sub-node'] };
const code = { jsCode: 'return "a";' };

export const cases: Case[] = [
  valid('code with a description', withTool('ai:toolCode', 1.3, { ...code, description: 'Gives an a' }), unserved),
  valid('a tool that needs none', withTool('ai:toolCalculator', 1, {}), unserved),
  valid('a node that describes itself', withTool('httpRequestTool', 4.4, { url: 'https://example.com' }), unserved),
  broken(
    'code without a description',
    withTool('ai:toolCode', 1.3, code),
    [{ rule, path: '/nodes/2/parameters/description', severity: 'warning', says: 'description' }],
    lint,
  ),
];
