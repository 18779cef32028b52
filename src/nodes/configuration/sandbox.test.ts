import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSandbox } from './sandbox.ts';

const evaluate = createSandbox();
const run = (source: string, input: unknown = {}) => evaluate(source, JSON.stringify(input));

describe('code from a node', () => {
  it('gets its input and returns JSON', () => {
    expect(run('input.list.map((one) => one * 2)', { list: [1, 2] })).toEqual([2, 4]);
  });

  it.each([
    'process',
    'require("fs")',
    'globalThis.constructor.constructor("return process")()',
    'Function("return 1")()',
    '(() => {}).constructor("return 1")()',
    'eval("1")',
    'import("node:fs")',
    '(async () => { throw 1 })()',
    'Promise.reject(1)',
    '1); (2',
    '})(); (() => { return 1',
    'this is no code',
  ])('cannot run %s', (source) => {
    expect(run(source)).toBeUndefined();
  });

  it.each([
    '(() => { while (true) {} })()',
    '({ toJSON() { while (true) {} } })',
    '/(a+)+$/.test("a".repeat(50) + "b")',
  ])('is stopped if it never ends: %s', (source) => {
    expect(run(source)).toBeUndefined();
  });

  afterEach(() => void vi.useRealTimers());

  it('is blocked for a minute after a timeout, then allowed again with other input', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const source = '(() => { while (input.long) {} return 1; })()';
    expect(run(source, { long: true })).toBeUndefined();
    expect(run(source, { long: false })).toBeUndefined();
    vi.setSystemTime(Date.now() + 61_000);
    expect(run(source, { long: false })).toBe(1);
  });

  it('leaves nothing behind for the next run', () => {
    for (const source of [
      'globalThis.left = 1',
      'Array.prototype.map = null',
      'Object.prototype.left = 1',
      'JSON.stringify = () => "7"',
      'Object.defineProperty(globalThis, "left", { get: () => 1 })',
    ]) {
      run(source);
      expect(run('[typeof left, [1].map((one) => one), ({}).left]')).toEqual(['undefined', [1], null]);
    }
  });

  it('sees no stack trace of Sluice', () => {
    expect(run('new Error("x").stack')).not.toContain('sandbox');
  });

  it('cannot break out through its input', () => {
    expect(run('input.text', { text: '"); process.exit(); ("\u2028`${1}' })).toBe('"); process.exit(); ("\u2028`${1}');
    expect(run('({}).polluted', JSON.parse('{"__proto__":{"polluted":1}}'))).toBeUndefined();
  });
});
