import { describe, expect, it } from 'vitest';
import { credentialChooser } from './credential-choice.ts';

const credentials = [
  { id: 's1', name: 'Team', type: 'slackApi' },
  { id: 'h1', name: 'Header Auth account', type: 'httpHeaderAuth' },
  { id: 'q1', name: 'Orders of the shop', type: 'httpQueryAuth' },
  { id: 'p1', name: 'One', type: 'postgres' },
  { id: 'p2', name: 'Two', type: 'postgres' },
];
const choose = credentialChooser({ credentials, source: 'n8n' }, new Map());
const want = (type: string, name: string, anywhere = false) =>
  choose({ node: 'N', type, name, used: true, anywhere }).used?.id;

describe('the credential of an import', () => {
  it('is the one of the same type and name, or the only one of its type', () => {
    expect(want('postgres', 'Two')).toBe('p2');
    expect(want('postgres', 'Three')).toBeUndefined();
    expect(want('slackApi', 'Somebody else')).toBe('s1');
  });

  it('is not guessed where the template says to which address it is sent', () => {
    expect(want('slackApi', 'Somebody else', true)).toBeUndefined();
    expect(want('httpQueryAuth', 'Somebody else', true)).toBeUndefined();
    expect(want('httpQueryAuth', 'Orders of the shop', true)).toBe('q1');
    // Everybody has one of this name.
    expect(want('httpHeaderAuth', 'Header Auth account', true)).toBeUndefined();
  });
});
