import { expect, test } from 'vitest';
import { readArguments } from './call-arguments.ts';
import { UsageError } from '../../cli/frame.ts';

const noStdin = () => Promise.reject(new Error('stdin was read'));

test.each([
  [[], {}],
  [['{"a": {"b": [1]}}'], { a: { b: [1] } }],
  [['text=hi'], { text: 'hi' }],
  [
    ['text=a=b', 'n=-5', 'on=true', 'list=[1,2]', 'o={"k":null}'],
    { text: 'a=b', n: -5, on: true, list: [1, 2], o: { k: null } },
  ],
  [['text="5"'], { text: '5' }],
  [['text='], { text: '' }],
  [['some-key=v', 'dotted.key=w'], { 'some-key': 'v', 'dotted.key': 'w' }],
  [['{"url": "http://x/?a=b"}'], { url: 'http://x/?a=b' }],
])('%j', async (words, args) => expect(await readArguments(words, noStdin)).toEqual(args));

test('- reads stdin', async () => {
  expect(await readArguments(['-'], async () => '{"text": "hi"}\n')).toEqual({ text: 'hi' });
  await expect(readArguments(['-'], async () => '')).rejects.toThrow('What came on stdin is not JSON');
});

test.each([
  [['{"a": '], /is not JSON/],
  [['nonsense'], /is not JSON/],
  [['[1]'], /must be an object/],
  [['5'], /must be an object/],
  [['a=1', 'b'], /b is not key=value/],
  [['{"a":1}', 'b=2'], /is not key=value/],
  [['='], /is not JSON/],
  [[`{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`], /nested more than/],
])('%j is wrong usage', async (words, message) => {
  const reading = readArguments(words, noStdin);
  await expect(reading).rejects.toThrow(message);
  await expect(reading).rejects.toBeInstanceOf(UsageError);
});

test('a mistake is not reported with the text around it', async () => {
  await expect(readArguments(['{"password": hunter2}'], noStdin)).rejects.toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('hunter2') as string }) as Error,
  );
});
