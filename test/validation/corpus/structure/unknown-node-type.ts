import { broken, type Case, changed, flow, node, valid } from '../../case.ts';
import { sound } from '../../sound.ts';

const rule = 'unknown-node-type';
const path = '/nodes/2/type';
const typed = (type: string) => changed(sound, path, type);
const agent = flow(
  [
    node('Start', 'manualTrigger', 1),
    node('Ask', 'ai:chainLlm', 1.7, { promptType: 'define', text: 'Say hello', messages: {} }),
    node(
      'Model',
      'ai:lmChatOllama',
      1,
      { model: 'llama3.2', options: {} },
      { credentials: { ollamaApi: { id: '1', name: 'O' } } },
    ),
  ],
  ['Start -> Ask', 'Model -ai_languageModel-> Ask'],
);
const structure = { groups: ['structure'] } as const;

export const cases: Case[] = [
  valid(
    'the tool variant of a node',
    changed(sound, '/nodes/-', node('Tool', 'httpRequestTool', 4.2, {}, { id: 't', position: [0, 9] })),
    { ...structure, warnings: ['required-parameter', 'unused-sub-node'] },
  ),
  valid('nodes of the langchain package', agent, structure),
  valid(
    'a note',
    changed(sound, '/nodes/-', { ...node('Note', 'stickyNote', 1, { content: '# Hi' }), id: 's', position: [0, 0] }),
  ),
  broken('an unknown type', typed('n8n-nodes-base.quantumTeleport'), [{ rule, path, severity: 'error' }]),
  broken('a misspelt type', typed('n8n-nodes-base.httpRequst'), [{ rule, path, says: 'n8n-nodes-base.httpRequest' }]),
  broken(
    'a type that n8n no longer has',
    changed(sound, '/nodes/0/type', 'n8n-nodes-base.start'),
    [{ rule, path: '/nodes/0/type', says: 'manualTrigger', fixed: sound }],
    structure,
  ),
  broken('a package without its n8n-', typed('nodes-base.httpRequest'), [{ rule, path, fixed: sound }]),
  broken('no package', typed('httpRequest'), [{ rule, path, fixed: sound }]),
  broken('another spelling', typed('n8n-nodes-base.HttpRequest'), [{ rule, path, fixed: sound }]),
  broken('a slash for the dot', typed('n8n-nodes-base/httpRequest'), [{ rule, path, fixed: sound }]),
  broken(
    'an AI node in the base package',
    changed(agent, '/nodes/1/type', 'n8n-nodes-base.chainLlm'),
    [{ rule, path: '/nodes/1/type', fixed: agent }],
    structure,
  ),
  broken(
    'the langchain package without @n8n',
    changed(agent, '/nodes/1/type', 'n8n-nodes-langchain.chainLlm'),
    [{ rule, path: '/nodes/1/type', fixed: agent }],
    structure,
  ),
  broken(
    'the langchain package in short',
    changed(agent, '/nodes/1/type', 'nodes-langchain.chainLlm'),
    [{ rule, path: '/nodes/1/type', fixed: agent }],
    structure,
  ),
  broken('a community node', typed('n8n-nodes-elsewhere.teleport'), [
    { rule, path, severity: 'warning', says: 'n8n-nodes-elsewhere' },
  ]),
  // The same name in another package is another node: no fix may replace it with n8n's own.
  broken(
    'a community node in an exported workflow, where it has run',
    { ...typed('n8n-nodes-elsewhere.teleport'), meta: { instanceId: 'a1b2c3' } },
    [{ rule, path, severity: 'info', says: 'n8n-nodes-elsewhere' }],
  ),
  broken('a community node with the name of an n8n node', typed('n8n-nodes-elsewhere.httpRequest'), [
    { rule, path, severity: 'warning', says: 'or use n8n-nodes-base.httpRequest', fixed: null },
  ]),
  broken('a community node in a scoped package', typed('@somebody/n8n-nodes-elsewhere.teleport'), [
    { rule, path, severity: 'warning', says: '@somebody/n8n-nodes-elsewhere' },
  ]),
  broken(
    'a disabled node, which n8n refuses to run, too',
    changed(typed('n8n-nodes-base.quantumTeleport'), '/nodes/2/disabled', true),
    [{ rule, path, severity: 'error' }],
  ),
  broken(
    'an unknown type, only to be saved',
    typed('n8n-nodes-base.quantumTeleport'),
    [{ rule, path, severity: 'warning' }],
    {
      purpose: 'save',
    },
  ),
  broken('a name that every object inherits', typed('constructor'), [{ rule, path }]),
];
