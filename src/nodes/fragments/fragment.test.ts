import { describe, expect, it } from 'vitest';
import { connected } from './fragment.ts';

describe('connected', () => {
  it('writes links as n8n does: by source, kind and output', () => {
    expect(
      connected(
        { from: 'If', to: 'Yes' },
        { from: 'If', to: 'Late', output: 2, input: 1 },
        { from: 'Model', to: 'Agent', type: 'ai_languageModel' },
      ),
    ).toEqual({
      If: { main: [[{ node: 'Yes', type: 'main', index: 0 }], [], [{ node: 'Late', type: 'main', index: 1 }]] },
      Model: { ai_languageModel: [[{ node: 'Agent', type: 'ai_languageModel', index: 0 }]] },
    });
  });

  it('is empty without links, and accepts any name', () => {
    expect(connected()).toEqual({});
    const odd = connected({ from: '__proto__', to: 'constructor' });
    expect(Object.keys(odd)).toEqual(['__proto__']);
    expect(JSON.stringify(odd)).toContain('"constructor"');
  });
});
