import { expect, test } from 'vitest';
import { exactJson } from './exact-json.ts';

test('whole numbers that JavaScript would round keep their digits', () => {
  const text =
    '{"id":18446744073709551615,"n":9007199254740991,"score":0.1234567890123456,"big":1e300,"text":"say \\"18446744073709551615\\", 18446744073709551615"}';
  expect(exactJson.parse(text)).toEqual({
    id: '18446744073709551615',
    n: 9007199254740991,
    score: 0.1234567890123456,
    big: 1e300,
    text: 'say "18446744073709551615", 18446744073709551615',
  });
  expect(exactJson.stringify({ ids: [18446744073709551615n, 1, '18446744073709551615'] })).toBe(
    '{"ids":[18446744073709551615,1,"18446744073709551615"]}',
  );
});

test('long texts are no trouble', () => {
  const text = 'long \\ "text" '.repeat(300_000);
  expect(exactJson.parse(JSON.stringify({ text, id: 1 }).replace('"id":1', '"id":12345678901234567890'))).toEqual({
    text,
    id: '12345678901234567890',
  });
});
