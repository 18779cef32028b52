import { afterEach, expect, test, vi } from 'vitest';
import { createTerminal } from './terminal.ts';

afterEach(() => vi.restoreAllMocks());

/** A terminal that records what is written to it. */
function fake(isTTY: boolean) {
  const written = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      written[name] += String(text);
      return true;
    });
    Object.defineProperty(process[name], 'isTTY', { value: isTTY, configurable: true });
  }
  return { terminal: createTerminal({}), written };
}

const foreign = 'a\x1b[31mred\x1b]0;title\x07\x9b2J\rover\u202eb';

test('foreign text loses its control sequences on a terminal; our own colors stay', () => {
  const { terminal, written } = fake(true);
  terminal.print(`${terminal.paint('green', foreign)} ${foreign}`);
  terminal.say(foreign);
  expect(written.stdout).toBe('\x1b[32mared 2J over b\x1b[0m ared 2J over b\n');
  expect(written.stderr).toBe('ared 2J over b\n');
});

test('foreign progress text stays on one line', () => {
  const { terminal, written } = fake(true);
  terminal.progress(`one\n${foreign}`);
  expect(written.stderr).toBe('\r\x1b[Kone ared 2J over b');
});

test('data for another program stays unchanged', () => {
  const { terminal, written } = fake(false);
  terminal.print(`${terminal.paint('green', 'x')}${foreign}`);
  expect(written.stdout).toBe(`x${foreign}\n`);
});
