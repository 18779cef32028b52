import { expect, test } from 'vitest';
import { byPreference, wayNames, wayOf } from './ways.ts';

const kindOf = (type: string) => wayOf({ type })?.kind;

test.each([
  ['n8n-nodes-base.webhook', 'webhook'],
  ['n8n-nodes-base.formTrigger', 'form'],
  ['@n8n/n8n-nodes-langchain.chatTrigger', 'chat'],
  ['@n8n/n8n-nodes-langchain.manualChatTrigger', 'chat'],
  ['n8n-nodes-base.executeWorkflowTrigger', 'sub-workflow'],
  ['n8n-nodes-base.manualTrigger', 'manual'],
  ['n8n-nodes-base.cron', 'schedule'],
  ['@n8n/n8n-nodes-langchain.mcpTrigger', 'other'],
  ['n8n-nodes-base.slackTrigger', 'other'],
  ['n8n-nodes-base.emailReadImap', 'other'],
  ['n8n-nodes-base.set', undefined],
  ['constructor', undefined],
])('%s is a trigger of the kind %s', (type, kind) => {
  expect(kindOf(type)).toBe(kind);
});

test('a workflow starts at the trigger whose kind comes first', () => {
  const types = ['slackTrigger', 'cron', 'formTrigger', 'webhook', 'executeWorkflowTrigger', 'manualTrigger'];
  const triggers = types.flatMap((type) => wayOf({ type: `n8n-nodes-base.${type}` }) ?? []).map((way) => ({ way }));
  expect(triggers.sort(byPreference).map(({ way }) => way.kind)).toEqual([
    'manual',
    'sub-workflow',
    'webhook',
    'form',
    'schedule',
    'other',
  ]);
});

test('every kind that can be called has a name, and the draft comes last', () => {
  expect(wayNames).toEqual(['webhook', 'form', 'chat', 'sub-workflow', 'draft']);
});
