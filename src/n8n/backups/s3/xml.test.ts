import { expect, test } from 'vitest';
import { elementsOf, encoded, textOf } from './xml.ts';

test('elements are found by their whole name', () => {
  const xml = '<List xmlns="x"><KeyCount>2</KeyCount><Key>a</Key><Key>b</Key></List>';
  expect(textOf(xml, 'Key')).toBe('a');
  expect(textOf(xml, 'List')).toContain('2');
  expect(textOf(xml, 'Keys')).toBeUndefined();
  expect(elementsOf(xml, 'Key')).toEqual(['a', 'b']);
});

test('entities of XML are decoded once, others are left alone', () => {
  expect(textOf('<K>&lt;a&gt; &amp;amp; &quot;&apos; &#252;&#xFC; &nbsp; &#99999999;</K>', 'K')).toBe(
    '<a> &amp; "\' üü &nbsp; &#99999999;',
  );
  expect(textOf(`<K>${encoded('a<b>&c')}</K>`, 'K')).toBe('a<b>&c');
});

test.each(['', '<Key>', '<Key', '</Key><Key', 'no xml at all', '<Key attribute="'])('%j has no key', (xml) => {
  expect(textOf(xml, 'Key')).toBeUndefined();
  expect(elementsOf(xml, 'Key')).toEqual([]);
});

test('hostile text takes no longer than its length', () => {
  const started = performance.now();
  for (const text of ['<Key'.repeat(500_000), '<Key>'.repeat(500_000), `<Key>${'&#'.repeat(500_000)}</Key>`]) {
    elementsOf(text, 'Key');
    textOf(text, 'Key');
  }
  expect(performance.now() - started).toBeLessThan(2000);
});
