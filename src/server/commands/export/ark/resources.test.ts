import { parseAllDocuments } from 'yaml';
import { expect, test } from 'vitest';
import { resource } from '../../../../../test/support/ark/schema.ts';
import { arkYaml } from './resources.ts';

const secret = { name: 'mcp-auth-token', key: 'token' };
const address = { url: 'http://sluice.default.svc.cluster.local:3500/mcp?expose=flat' };
const parsed = (yaml: string) => parseAllDocuments(yaml).map((one) => resource.parse(one.toJS()));

test('an MCPServer alone', () => {
  expect(parsed(arkYaml({ name: 'sluice', address, secret }))).toMatchObject([
    {
      kind: 'MCPServer',
      spec: { address: { value: address.url }, authorization: { tokenSecretRef: { name: secret.name } } },
    },
  ]);
});

test('an Agent has its tools by their names in ARK; a Query asks it', () => {
  const agent = { name: 'calculator', model: 'gpt', tools: ['sluice-support-agent--calculator'] };
  const query = 'What is 25 * 42? Say "why": yes';
  expect(
    parsed(arkYaml({ name: 'sluice', namespace: 'agents', address, secret, agent, query })).slice(1),
  ).toMatchObject([
    {
      kind: 'Agent',
      metadata: { name: 'calculator', namespace: 'agents' },
      spec: { modelRef: { name: 'gpt' }, tools: [{ type: 'mcp', name: agent.tools[0] }] },
    },
    { kind: 'Query', metadata: { namespace: 'agents' }, spec: { input: query, target: { name: 'calculator' } } },
  ]);
});

test('the check refuses fields that ARK does not have', () => {
  const [server] = parsed(arkYaml({ name: 'sluice', address, secret }));
  expect(resource.safeParse({ ...server, spec: { ...server?.spec, url: 'x' } }).success).toBe(false);
  expect(resource.safeParse({ ...server, metadata: { name: 'Sluice' } }).success).toBe(false);
});
