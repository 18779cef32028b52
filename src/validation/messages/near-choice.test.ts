import { describe, expect, it } from 'vitest';
import { choiceMeant, meant } from './near-choice.ts';

describe('what was meant', () => {
  it('is the one name that is a slip or two away', () => {
    expect(meant('methd', ['method', 'url', 'options'])).toBe('method');
    expect(meant('Method', ['method', 'url'])).toBe('method');
    expect(meant('urll', ['url'])).toBe('url');
  });

  it('is not told where two are as near, or none is', () => {
    expect(meant('value', ['value1', 'value2'])).toBeUndefined();
    expect(meant('key', ['by', 'row'])).toBeUndefined();
    expect(meant('colour', ['method'])).toBeUndefined();
    expect(meant('x'.repeat(100_000), ['method'])).toBeUndefined();
  });

  it('names what begins alike, and not what merely holds it', () => {
    expect(choiceMeant('send', ['sendMessage', 'deleteMessage'])).toBe('Did you mean "sendMessage"?');
    expect(choiceMeant('create', ['getRecentlyCreatedUpdated'])).toBe('');
  });
});
