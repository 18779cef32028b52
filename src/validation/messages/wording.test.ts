import { describe, expect, it } from 'vitest';
import { called, listed, quoted } from './wording.ts';

describe('a value in a message', () => {
  it('is shown as it is, but short', () => {
    expect(quoted('post')).toBe('"post"');
    expect(quoted(5)).toBe('5');
    expect(quoted(['a'])).toBe('a list');
    expect(quoted('ab '.repeat(100))).toHaveLength(63);
  });

  it('hides possible secrets', () => {
    expect(quoted('api.example.com?key=sk-1234567890abcdefghij')).not.toContain('567890');
    expect(quoted('ftp://me:hunter2@example.com')).not.toContain('hunter2');
    expect(quoted('https://exa mple.com')).toContain('exa mple');
    expect(quoted('=https://example.com/a b?token=short')).not.toContain('short');
    expect(quoted('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x')).not.toContain('IUzI1');
  });

  it('is never converted if it is an object', () => {
    expect(quoted({ toString: 1 })).toBe('an object');
    expect(quoted(Object.create(null))).toBe('an object');
  });
});

describe('a message', () => {
  it('gives the label and the name of a parameter', () => {
    const property = { type: 'string', name: 'sendTo' };
    expect(called({ ...property, displayName: 'To' })).toBe('"To" (sendTo)');
    expect(called({ ...property, displayName: 'SendTo' })).toBe('"sendTo"');
  });

  it('says how many more values there are', () => expect(listed([1, 2, 3], 2)).toBe('1, 2 and 1 more'));
});
