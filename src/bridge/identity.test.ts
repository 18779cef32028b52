import { describe, expect, it } from 'vitest';
import { nameTools, nameWorkflows, slugOf, toolNameOf } from './identity.ts';

const none = new Map<string, string>();

describe('names of bridged things', () => {
  it.each([
    ['My agent', 'my_agent'],
    ['Invoices (EU)', 'invoices_EU'.toLowerCase()],
    ['Café', 'cafe'],
  ])('a workflow "%s" is %s', (name, slug) => expect(slugOf(name)).toBe(slug));

  it.each(['计算器', '🚀', 'Größe berechnen', 'a'.repeat(80), '***', '', '   ', '__proto__', 'constructor'])(
    'a tool called "%s" has a legal name that is its own',
    (name) => {
      const made = toolNameOf(name);
      expect(made).toMatch(/^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/);
      expect(made.length).toBeLessThanOrEqual(60);
      expect(made).toBe(toolNameOf(name));
    },
  );

  it('two names in another script do not become one', () => {
    expect(toolNameOf('计算器')).not.toBe(toolNameOf('翻译'));
    expect(slugOf('计算器')).not.toBe(slugOf('翻译'));
  });

  it('two that want one name each get one, and keep it when the first goes', () => {
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

  it('names differ after folding case, _ and -', () => {
    const names = nameTools(
      [
        { key: 'a', name: 'get-user' },
        { key: 'b', name: 'Get User' },
      ],
      none,
    );
    expect(names.get('b')).not.toBe('Get_User');
  });

  it('a rename keeps the name', () => {
    const before = nameWorkflows([{ key: 'w', name: 'Invoices' }], none, []);
    expect(nameWorkflows([{ key: 'w', name: 'Bills' }], before, []).get('w')).toBe('invoices');
  });

  it('a name of another source is not taken, even by one that had it', () => {
    const before = nameWorkflows([{ key: 'w', name: 'Git' }], none, []);
    const after = nameWorkflows([{ key: 'w', name: 'Git' }], before, ['GIT']);
    expect(after.get('w')).toMatch(/^git-[0-9a-f]{6}$/);
  });

  it('a newcomer does not take the name of one that is there, whatever their keys', () => {
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
