import { expect, test } from 'vitest';
import { changedJson, changedTexts } from './exact-json.ts';

test('changes a value without rounding its numbers', () => {
  const changed = changedJson('{"a":12345678901234567890,"b":1.0,"drop":1}', (value) => {
    delete (value as { drop?: number }).drop;
  });
  expect(changed).toBe('{"a":12345678901234567890,"b":1.0}');
});

test('changes every text, but neither keys nor numbers beyond the precision of JavaScript', () => {
  const json = '{"a":12345678901234567890,"b":["b",{"a":"a\\n"}],"c":null}';
  expect(changedTexts(json, (text) => text.toUpperCase())).toBe(
    '{"a":12345678901234567890,"b":["B",{"a":"A\\n"}],"c":null}',
  );
});
