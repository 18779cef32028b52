import { describe, expect, it } from 'vitest';
import { choiceMeant, meant } from './near-choice.ts';

describe('the intended name', () => {
  it('is the one name that is one or two typos away', () => {
    expect(meant('methd', ['method', 'url', 'options'])).toBe('method');
    expect(meant('Method', ['method', 'url'])).toBe('method');
    expect(meant('urll', ['url'])).toBe('url');
  });

  it('is unknown if two are equally near, or none is near', () => {
    expect(meant('value', ['value1', 'value2'])).toBeUndefined();
    expect(meant('key', ['by', 'row'])).toBeUndefined();
    expect(meant('colour', ['method'])).toBeUndefined();
    expect(meant('x'.repeat(100_000), ['method'])).toBeUndefined();
  });

  it('may be a name that starts the same, but not one that merely contains it', () => {
    expect(choiceMeant('send', ['sendMessage', 'deleteMessage'])).toBe('Did you mean "sendMessage"?');
    expect(choiceMeant('create', ['getRecentlyCreatedUpdated'])).toBe('');
  });
});
