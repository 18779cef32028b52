import { broken, type Case, changed, flow, node } from '../../case.ts';

const right = flow([node('Start', 'manualTrigger', 1), node('Next', 'noOp', 1)], ['Start -> Next']);
const agent = flow(
  [
    node('Start', 'manualTrigger', 1),
    node('Agent', 'ai:agent', 2, { promptType: 'define', text: 'Hi', options: {} }),
    node('Model', 'ai:lmChatOllama', 1, { options: {} }, { credentials: { ollamaApi: { id: '1', name: 'Mine' } } }),
  ],
  ['Start -> Agent', 'Model -ai_languageModel-> Agent'],
);

export const cases: Case[] = [
  broken(
    'an unknown kind',
    { ...right, connections: { Start: { output: [[{ node: 'Next', type: 'output', index: 0 }]] } } },
    [{ rule: 'unknown-connection-kind', path: '/connections/Start/output', severity: 'error', says: '"main"' }],
  ),
  broken(
    'a misspelt kind at the target',
    changed(agent, '/connections/Model/ai_languageModel/0/0/type', 'ai_languagemodel'),
    [
      {
        rule: 'unknown-connection-kind',
        path: '/connections/Model/ai_languageModel/0/0/type',
        severity: 'error',
        says: 'ai_languageModel',
        fixed: agent,
      },
    ],
  ),
  broken(
    'a kind for errors',
    changed(right, '/connections/Next', { error: [[{ node: 'Next', type: 'main', index: 0 }]] }),
    [
      {
        rule: 'unknown-connection-kind',
        path: '/connections/Next/error',
        severity: 'warning',
        says: 'continueErrorOutput',
      },
    ],
    { purpose: 'save' },
  ),
  broken('two kinds at the two ends', changed(right, '/connections/Start/main/0/0/type', 'ai_tool'), [
    { rule: 'connection-kind-mismatch', path: '/connections/Start/main/0/0/type', severity: 'error', fixed: right },
  ]),
  broken('a tool connected as main', changed(agent, '/connections/Model/ai_languageModel/0/0/type', 'main'), [
    {
      rule: 'connection-kind-mismatch',
      path: '/connections/Model/ai_languageModel/0/0/type',
      severity: 'error',
      fixed: agent,
    },
  ]),
];
