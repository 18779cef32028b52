import { expect, test } from 'vitest';
import { startGroup } from './group.ts';

test('the last output arrives before the end, also when several end at once', async () => {
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
  // Whether the end or the output comes first is luck. Most of those after the first are unlucky.
  for (let round = 0; round < 5; round++) {
    const told = await Promise.all(Array.from({ length: 8 }, end));
    expect(new Set(told)).toEqual(new Set(['ended with code 1: it cannot go on']));
  }
});
