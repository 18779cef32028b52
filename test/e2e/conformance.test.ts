import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const run = fileURLToPath(new URL('../conformance/run.ts', import.meta.url));

/** `npm run conformance`, as a person runs it. */
function conformance(leg: string, signal: AbortSignal): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [run, '--only', leg], { signal });
    child.once('error', reject);
    let output = '';
    child.stdout.on('data', (text: Buffer) => (output += text.toString()));
    child.stderr.on('data', (text: Buffer) => (output += text.toString()));
    child.once('close', (code) => resolve({ code, output }));
  });
}

test.for(['gateway', 'cross', 'client'])(
  'the conformance suite judges the gateway as it judges the backend itself (%s)',
  { timeout: 300_000 },
  async (leg, { signal }) => {
    const { code, output } = await conformance(leg, signal);
    expect(output).toMatch(/\n[1-9]\d* passed, 0 failed\n/);
    expect(code).toBe(0);
  },
);
