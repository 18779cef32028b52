import { describe, expect, it } from 'vitest';
import { nameTools, nameWorkflows, slugOf, toolNameOf } from './identity.ts';

const none = new Map<string, string>();

describe('names of bridged workflows and tools', () => {
  it.each([
    ['My agent', 'my_agent'],
    ['Invoices (EU)', 'invoices_EU'.toLowerCase()],
    ['Café', 'cafe'],
    ['Größenübersicht', 'groessenuebersicht'],
    ['Ship it 🚀', 'ship_it'],
    ['🚀 Ship ✨ it', 'ship_it'],
    ['Report 报告', 'report'],
    ['Отчёт', 'otchyot'],
    ['2024', '2024'],
    // If no letter is legal, the id says more than a hash.
    ['报告', 'k3j9swq2lm4xyz7a'],
    ['报告 2024', 'k3j9swq2lm4xyz7a'],
    ['🚀', 'k3j9swq2lm4xyz7a'],
  ])('a workflow "%s" is %s', (name, slug) => expect(slugOf(name, 'k3J9sWq2Lm4xYz7A')).toBe(slug));

  it.each([
    ['计算器', '@n8n/n8n-nodes-langchain.toolCalculator', 'Calculator'],
    ['邮件', 'n8n-nodes-base.gmailTool', 'gmail'],
    ['Größe', '@n8n/n8n-nodes-langchain.toolCode', 'Groesse'],
  ])('a tool "%s" of type %s is %s', (name, type, made) => expect(toolNameOf(name, type)).toBe(made));

  it('a name that is cut ends with a hash of the full name', () => {
    expect(slugOf('A workflow with a very long name, one')).toMatch(/^a_workflow_with_a-[0-9a-f]{6}$/);
    expect(slugOf('A workflow with a very long name, one')).not.toBe(slugOf('A workflow with a very long name, two'));
  });

  it.each(['计算器', '🚀', 'Größe berechnen', 'a'.repeat(80), '***', '', '   ', '__proto__', 'constructor'])(
    'a tool called "%s" gets a legal, stable name',
    (name) => {
      const made = toolNameOf(name);
      expect(made).toMatch(/^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/);
      expect(made.length).toBeLessThanOrEqual(60);
      expect(made).toBe(toolNameOf(name));
    },
  );

  it('two names in another script get different names', () => {
    const tools = ['计算器', '翻译'].map((name, at) => ({ key: `${at}`, name, fallback: 'x.toolCode' }));
    const [first, second] = [...nameTools(tools, none).values()];
    expect(first).toBe('Code');
    expect(second).toMatch(/^Code-[0-9a-f]{6}$/);
    const workflows = ['计算器', '翻译'].map((name, at) => ({ key: `${at}`, name, fallback: `id${at}` }));
    expect([...nameWorkflows(workflows, none, []).values()]).toEqual(['id0', 'id1']);
  });

  it('the exact name gets the plain form, whatever the order of keys', () => {
    const type = '@n8n/n8n-nodes-langchain.toolCalculator';
    const names = nameTools(
      [
        { key: 'a', name: '计算器', fallback: type },
        { key: 'b', name: 'Calculator 🧮', fallback: type },
        { key: 'c', name: 'Calculator', fallback: type },
      ],
      none,
    );
    expect(names.get('c')).toBe('Calculator');
    expect(names.get('b')).toMatch(/^Calculator-/);
    const workflows = nameWorkflows(
      [
        { key: 'a', name: 'Ship it 🚀' },
        { key: 'b', name: 'Ship it' },
      ],
      none,
      [],
    );
    expect(workflows.get('b')).toBe('ship_it');
  });

  it('a name that can be spelt wins over one derived from the node type', () => {
    const fallback = '@n8n/n8n-nodes-langchain.toolCalculator';
    const tools = ['计算器', 'Calculator 🧮'].map((name, at) => ({ key: `${at}`, name, fallback }));
    expect(nameTools(tools, none).get('1')).toBe('Calculator');
  });

  it('two that want the same name get different ones, and keep them when the first is deleted', () => {
    const both = nameTools(
      [
        { key: 'a', name: 'Get user' },
        { key: 'b', name: 'Get_user' },
      ],
      none,
    );
    expect(both.get('a')).toBe('Get_user');
    expect(both.get('b')).toMatch(/^Get_user-[0-9a-f]{6}$/);
    const later = nameTools([{ key: 'b', name: 'Get_user' }], both);
    expect(later.get('b')).toBe(both.get('b'));
  });

  it('names differ even if case, _ and - are not distinguished', () => {
    const names = nameTools(
      [
        { key: 'a', name: 'get-user' },
        { key: 'b', name: 'Get User' },
      ],
      none,
    );
    expect(names.get('b')).not.toBe('Get_User');
  });

  it('renaming the workflow keeps the name', () => {
    const before = nameWorkflows([{ key: 'w', name: 'Invoices' }], none, []);
    expect(nameWorkflows([{ key: 'w', name: 'Bills' }], before, []).get('w')).toBe('invoices');
  });

  it('a name that another source now has is given up', () => {
    const before = nameWorkflows([{ key: 'w', name: 'Git' }], none, []);
    const after = nameWorkflows([{ key: 'w', name: 'Git' }], before, ['GIT']);
    expect(after.get('w')).toMatch(/^git-[0-9a-f]{6}$/);
  });

  it('a new workflow does not take an existing name, whatever the order of keys', () => {
    const before = nameWorkflows([{ key: 'z', name: 'Calc' }], none, []);
    const after = nameWorkflows(
      [
        { key: 'a', name: 'Calc' },
        { key: 'z', name: 'Calc' },
      ],
      before,
      [],
    );
    expect(after.get('z')).toBe('calc');
    expect(after.get('a')).toMatch(/^calc-/);
  });
});
