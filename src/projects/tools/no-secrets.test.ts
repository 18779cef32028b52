import { expect, test } from 'vitest';
import { callTool } from '../../kernel/call.ts';
import { refuseSecrets } from '../../kernel/no-secrets.ts';
import { localOwner } from '../../kernel/principal.ts';
import type { CallContext, Json } from '../../kernel/source.ts';
import type { AnyTool } from '../../kernel/tool.ts';
import { traceFrom } from '../../kernel/trace.ts';
import type { CheckGateway } from '../status/asking.ts';
import type { ProjectDeps } from '../tool.ts';
import { projectAdd } from './project-add.ts';
import { projectCreate } from './project-create.ts';
import { projectUpdate } from './project-update.ts';

const SECRET = 'hunter2-hunter2';

const deps: ProjectDeps = {
  open: () => expect.unreachable('nothing is stored'),
  gateway: {} as CheckGateway,
  inFlight: async (_, work) => work(),
  refuse: refuseSecrets('A project', (text) => text.includes(SECRET)),
};

const context: CallContext = {
  principal: localOwner,
  signal: new AbortController().signal,
  trace: traceFrom(),
  client: { era: 'modern', version: '2026-07-28', capabilities: {} },
  notify() {},
  ask: () => expect.unreachable('nobody is asked'),
};

const item = { project: 'p', kind: 'other', name: 'x' };

test.each<[AnyTool<ProjectDeps>, Json]>([
  [projectCreate, { name: `my ${SECRET}` }],
  [projectCreate, { name: 'x', description: SECRET }],
  [projectCreate, { name: 'x', owners: ['ana', SECRET] }],
  [projectUpdate, { name: 'x', rename: SECRET }],
  [projectUpdate, { name: 'x', description: SECRET }],
  [projectUpdate, { name: 'x', owners: [SECRET] }],
  [projectAdd, { ...item, name: SECRET }],
  [projectAdd, { ...item, instance: SECRET }],
  [projectAdd, { ...item, source: SECRET }],
  [projectAdd, { ...item, note: `the password is ${SECRET}` }],
  [projectAdd, { ...item, check: { tool: 'x', arguments: { deep: [{ key: SECRET }] } } }],
])('$name stores no revealed secret: %o', async (tool, args) => {
  const refused = callTool(tool, deps)({ name: tool.name, arguments: args }, context);
  await expect(refused).rejects.toMatchObject({ code: 'invalid_input' });
  await expect(refused).rejects.toThrow(/contains a secret that a tool revealed. A project keeps no secrets/);
  await expect(refused).rejects.not.toThrow(SECRET);
});
