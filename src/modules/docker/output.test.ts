import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { outputCollector } from './output.ts';

test('keeps what is short, without colours', () => {
  const { add, output } = outputCollector();
  add({ stream: 'stdout', bytes: Buffer.from('\u001b[31mred\u001b[0m\n') });
  add({ stream: 'stderr', bytes: Buffer.from('oops') });
  expect(output()).toMatchObject({ stdout: 'red\n', stderr: 'oops' });
});

test('keeps the end of what is long, and says what is missing', () => {
  const { add, output } = outputCollector();
  for (let n = 0; n < 200_000; n++) add({ stream: 'stdout', bytes: Buffer.from(`${n}\n`) });
  expect(output().stdout).toMatch(/^\(\d+ bytes before this are left out\)\n[\s\S]*\n199999\n$/);
});

test('whatever is written, both streams fit a reply', () => {
  const bytes = fc.array(fc.uint8Array({ minLength: 1, maxLength: 3000 }), { maxLength: 20 });
  fc.assert(
    fc.property(bytes, bytes, (out, err) => {
      const { add, output } = outputCollector();
      for (const one of out) add({ stream: 'stdout', bytes: Buffer.from(one) });
      for (const one of err) add({ stream: 'stderr', bytes: Buffer.from(one) });
      const { stdout, stderr } = output();
      const json = JSON.stringify({ stdout, stderr });
      expect(Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json))).toBeLessThan(7500);
    }),
  );
});
