import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const run = fileURLToPath(new URL('../conformance/run.ts', import.meta.url));

/** `npm run conformance`, as it is run by hand. */
function conformance(leg: string): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [run, '--only', leg]);
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    child.once('close', (code) => resolve({ code, output }));
  });
}

test.each(['gateway', 'cross', 'client'])(
  '1: the conformance suite judges the gateway as it judges the backend itself (%s)',
  async (leg) => {
    const { code, output } = await conformance(leg);
    expect(output).toMatch(/\n[1-9]\d* passed, 0 failed\n/);
    expect(code).toBe(0);
  },
  300_000,
);
