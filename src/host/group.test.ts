import { expect, test } from 'vitest';
import { startGroup } from './group.ts';

test('what it says last is heard before its end, also of several that end at once', async () => {
  const end = async () => {
    let heard = '';
    const group = await startGroup({
      command: '/bin/sh',
      args: ['-c', 'echo it cannot go on >&2; exit 1'],
      cwd: '/',
      env: { PATH: process.env.PATH ?? '' },
      onOutput: (text) => (heard += text),
    });
    return `${await group.ended}: ${heard.trim()}`;
  };
  // Which comes first, the end or the words, is a matter of luck: most of those after the first are unlucky.
  for (let round = 0; round < 5; round++) {
    const told = await Promise.all(Array.from({ length: 8 }, end));
    expect(new Set(told)).toEqual(new Set(['ended with code 1: it cannot go on']));
  }
});
