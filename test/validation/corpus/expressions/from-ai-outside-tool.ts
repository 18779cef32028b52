import { broken, type Case, flow, node, valid } from '../../case.ts';
import { value, withValue } from '../../expression-flow.ts';

const rule = 'from-ai-outside-tool';

export const cases: Case[] = [
  valid(
    'a tool',
    flow(
      [
        node('Chat', 'ai:chatTrigger', 1.1, { options: {} }),
        node('Agent', 'ai:agent', 2, { options: {} }),
        node('Fetch', 'httpRequestTool', 4.2, {
          url: "={{ $fromAI('url', 'The page to read', 'string') }}",
          options: {},
        }),
      ],
      ['Chat -> Agent', 'Fetch -ai_tool-> Agent'],
    ),
    { groups: ['expressions'], warnings: ['missing-sub-node'] },
  ),
  broken('a node in the main flow', withValue("={{ $fromAI('name') }}"), [{ rule, path: value, severity: 'warning' }]),
];
