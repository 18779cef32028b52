import { describe, expect, test } from 'vitest';
import type { InstallProgress } from './install.ts';
import { progressLine, showProgress } from './progress.ts';
import type { Terminal } from '../../host/terminal.ts';

function terminal(interactive: boolean) {
  const said: string[] = [];
  const shown: string[] = [];
  const fake = { interactive, say: (text: string) => said.push(text), progress: (text: string) => shown.push(text) };
  return { said, shown, terminal: fake as unknown as Terminal };
}

const half: InstallProgress = { phase: 'unpacking', done: 1061, total: 2122 };

test('a bar shows how many packages are installed', () => {
  expect(progressLine('2.41.1', half)).toBe(
    'Installing n8n 2.41.1, step 2 of 3: fetching [############------------] 50%, 1061 of 2122 packages',
  );
  expect(progressLine('2.41.1', { phase: 'unpacking', done: 0, total: 0 })).toContain('0%');
});

describe('progress', () => {
  test('is one line that changes, on a terminal', () => {
    const { said, shown, terminal: on } = terminal(true);
    const show = showProgress(on, '2.41.1');
    show(half);
    show({ ...half, done: 1062 });
    expect(shown).toHaveLength(2);
    expect(said).toEqual([]);
  });

  test('is a line for each step elsewhere, not one for each package', () => {
    const { said, shown, terminal: on } = terminal(false);
    const show = showProgress(on, '2.41.1');
    for (let done = 0; done < 500; done++) show({ phase: 'resolving', done });
    show(half);
    show({ phase: 'compiling', seconds: 0 });
    expect(said.map((line) => line.match(/step \d/)?.[0])).toEqual(['step 1', 'step 2', 'step 3']);
    expect(shown).toEqual([]);
  });
});
