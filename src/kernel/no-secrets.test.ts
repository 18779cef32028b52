import { expect, test } from 'vitest';
import { refuseSecrets } from './no-secrets.ts';
import { createRedactor } from './redact.ts';

const redact = createRedactor(() => ['hunter-22', 'two\nlines', 'tiny']);
const refuse = refuseSecrets('Memory', (text) => redact(text) !== text);

test.each([
  ['text', 'The password is hunter-22.'],
  ['tags', ['a', 'hunter-22']],
  ['metadata', { deep: [{ value: 'x hunter-22' }] }],
  ['metadata', { 'hunter-22': 1 }],
  ['metadata', { value: 'two\nlines' }],
  ['content', '{"text":"two\\nlines"}'],
])('refuses a secret in %s, and does not repeat it', (field, value) => {
  const stored = () => refuse({ other: 'fine', [field]: value });
  expect(stored).toThrow(new RegExp(`^${field} contains a secret.*Memory keeps no secrets`));
  expect(stored).not.toThrow(/hunter-22|lines/);
});

test('leaves alone what is no secret, and what is too short to be known as one', () => {
  expect(() => refuse({ text: 'tiny', tags: undefined, metadata: { size: 22 } })).not.toThrow('secret');
});
