import { expect, test } from 'vitest';
import { resultText } from './result-text.ts';

test.each([
  [
    {
      content: [
        { type: 'text', text: 'a' },
        { type: 'text', text: 'b\n' },
      ],
    },
    'a\nb\n',
  ],
  [{ content: [], structuredContent: { a: 1 } }, '{\n  "a": 1\n}'],
  [{ content: [{ type: 'text', text: 'as text' }], structuredContent: { a: 1 } }, 'as text'],
  [{ content: [] }, ''],
  [
    { content: [{ type: 'image', mimeType: 'image/png', data: 'AAAA' }] },
    '[image, image/png, 3 bytes; --json shows it]',
  ],
  [{ content: [{ type: 'resource_link', uri: 'test://x', name: 'x' }] }, '[resource test://x]'],
  [{ content: [{ type: 'resource', resource: { uri: 'test://x', text: 'inside' } }] }, 'inside'],
  [
    { content: [{ type: 'resource', resource: { uri: 'test://x', mimeType: 'a/b', blob: 'AAAA' } }] },
    '[resource test://x, a/b, 3 bytes; --json shows it]',
  ],
  [{ content: [{ type: 'hologram', beam: 1 }] }, '{"type":"hologram","beam":1}'],
])('%j', (result, text) => expect(resultText(result)).toBe(text));
