import { describe, expect, test } from 'vitest';
import type { Node, Workflow } from '../client/shapes.ts';
import { chooseWay, type Means, type Wish } from './choose-way.ts';

const both: Means = { login: true, runner: true };
const none: Means = { login: false, runner: false };

const types = {
  webhook: ['n8n-nodes-base.webhook', { path: 'orders', httpMethod: 'POST' }],
  form: ['n8n-nodes-base.formTrigger', {}],
  chat: ['@n8n/n8n-nodes-langchain.chatTrigger', { public: true }],
  private: ['@n8n/n8n-nodes-langchain.chatTrigger', {}],
  called: ['n8n-nodes-base.executeWorkflowTrigger', {}],
  manual: ['n8n-nodes-base.manualTrigger', {}],
  schedule: ['n8n-nodes-base.scheduleTrigger', {}],
  slack: ['n8n-nodes-base.slackTrigger', {}],
} as const;

const nodes = (...names: (keyof typeof types)[]): Node[] =>
  names.map((name) => ({ name, type: types[name][0], parameters: { ...types[name][1] }, webhookId: `id-${name}` }));

function workflow(saved: Node[], change: Partial<Workflow> = {}): Workflow {
  return {
    id: 'w',
    name: 'Orders',
    active: true,
    isArchived: false,
    nodes: saved,
    connections: {},
    versionId: '1',
    activeVersionId: '1',
    ...change,
  };
}

const chosen = (given: Workflow, wish: Wish = {}, means = both) => {
  const { trigger, isDraft } = chooseWay(given, wish, means);
  return [isDraft ? 'draft' : trigger.way.kind, trigger.node.name];
};

describe('what is published', () => {
  test.each([
    ['webhook', ['manual', 'webhook', 'called'], 'webhook'],
    ['chat', ['chat', 'form'], 'chat'],
    ['form', ['schedule', 'form'], 'form'],
    ['sub-workflow', ['called', 'manual'], 'called'],
  ] as const)('runs by %s if it has such a trigger', (way, names, trigger) => {
    expect(chosen(workflow(nodes(...names)))).toEqual([way, trigger]);
  });

  test('is run as a draft when nothing can be called from outside and the draft is the same', () => {
    expect(chosen(workflow(nodes('schedule', 'manual')))).toEqual(['draft', 'manual']);
    expect(chosen(workflow(nodes('private')))).toEqual(['draft', 'private']);
    expect(chosen(workflow(nodes('called')), {}, { login: true, runner: false })).toEqual(['draft', 'called']);
  });

  test('is not silently replaced by a draft that differs', () => {
    const differs = { versionId: '2', activeVersion: { nodes: nodes('schedule') } };
    expect(() => chosen(workflow(nodes('manual'), differs))).toThrow('way: "draft" runs the draft');
    const called = { versionId: '2', activeVersion: { nodes: nodes('called') } };
    expect(() => chosen(workflow(nodes('called'), called), {}, { login: true, runner: false })).toThrow(
      /create_runner.*way: "draft"/,
    );
  });

  test('is chosen by its live triggers, not by those of the draft', () => {
    const live = { versionId: '2', activeVersion: { nodes: nodes('form') } };
    expect(chosen(workflow(nodes('webhook'), live))).toEqual(['form', 'form']);
  });

  test('starts at the given trigger, in the given way', () => {
    const given = workflow(nodes('webhook', 'form', 'called'));
    expect(chosen(given, { trigger: 'form' })).toEqual(['form', 'form']);
    expect(chosen(given, { way: 'sub-workflow' })).toEqual(['sub-workflow', 'called']);
    expect(chosen(given, { way: 'draft' })).toEqual(['draft', 'called']);
    expect(() => chosen(given, { way: 'chat' })).toThrow(
      'has no chat trigger that is live. Its triggers: webhook (webhook)',
    );
    expect(() => chosen(given, { trigger: 'webhok' })).toThrow('Did you mean webhook?');
  });
});

describe('without a login', () => {
  test('says what is missing and what works instead', () => {
    expect(() => chosen(workflow(nodes('manual'), { active: false }), {}, none)).toThrow(
      /login.*trigger that can be called from outside/s,
    );
    expect(() => chosen(workflow(nodes('webhook'), { active: false }), {}, none)).toThrow(
      'n8n_publish_workflow makes its trigger answer',
    );
    expect(() => chosen(workflow(nodes('called')), {}, none)).toThrow(/create_runner: true.*login/s);
    expect(() => chosen(workflow(nodes('slack')), {}, none)).toThrow('Its triggers: slack (other)');
  });
});

test('an archived workflow, one without triggers and one that is not published get different errors', () => {
  expect(() => chosen(workflow(nodes('webhook'), { isArchived: true }))).toThrow(
    'n8n_archive_workflow with "archived": false',
  );
  expect(() => chosen(workflow([], { active: false }))).toThrow('has no trigger to start at');
  expect(() => chosen(workflow(nodes('webhook'), { active: false }), { way: 'webhook' })).toThrow('is not published');
  expect(() => chosen(workflow([{ ...(nodes('webhook')[0] as Node), disabled: true }], { active: false }))).toThrow(
    'no trigger',
  );
});
