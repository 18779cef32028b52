import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { createEvaluator } from './evaluator.ts';

const evaluator = createEvaluator();
afterAll(() => evaluator[Symbol.asyncDispose]());
const fill = (value: unknown, given: Readonly<Record<string, unknown>>) => evaluator.fill(value, given);

const nine = '[1,2,3,4,5,6,7,8,9]';
/** 9^9 turns. */
const endless = `${nine}${'.map(a, N'.repeat(8).replaceAll('N', nine)}.map(b, 1${')'.repeat(9)}`;

const scope = {
  inputs: { n: 2, team: 'a', list: [1, { b: null }], nothing: null },
  steps: { make: { result: { url: 'u' } }, other: { result: 'x' } },
};

describe('fill', () => {
  it('keeps the type of a text that is one expression, and puts others into the text', async () => {
    const value = {
      '${key}': '${inputs.n + 1}',
      text: '${inputs.team}: ${inputs.n} ${1.5} ${true} ${inputs.list} ${inputs.nothing}| $${x}',
      list: ['${steps.make.result}', 5, null, 'plain'],
    };
    expect(await fill(value, scope)).toEqual({
      '${key}': 3,
      text: 'a: 2 1.5 true [1,{"b":null}] | ${x}',
      list: [{ url: 'u' }, 5, null, 'plain'],
    });
    expect(await fill('${inputs.nothing}', scope)).toBeNull();
    expect(await fill(7, scope)).toBe(7);
  });

  it('takes names of prototypes for names', async () => {
    const hostile = JSON.parse(
      '{"inputs":{"__proto__":1},"steps":{"constructor":{"result":2}},"__proto__":3}',
    ) as typeof scope;
    const filled = await fill(
      JSON.parse('{"__proto__":"${[inputs.__proto__, steps.constructor.result, __proto__]}"}'),
      hostile,
    );
    expect(Object.entries(filled as object)).toEqual([['__proto__', [1, 2, 3]]]);
    await expect(fill('${steps.toString.result}', scope)).rejects.toThrow(
      '"toString" is missing there. Keys there: make, other.',
    );
    await expect(fill('${valueOf}', scope)).rejects.toThrow('There is no variable "valueOf".');
  });

  it('reads a variable with the name of a type', async () => {
    expect(await fill('${string} ${type(1) == int}', { string: 'x' })).toBe('x true');
  });

  it('refuses values that are not JSON, and goes on', async () => {
    const [refused, answered] = await Promise.allSettled([fill('${a}', { a: () => 'S3cr3t' }), fill('${1}', {})]);
    expect(refused).toMatchObject({
      reason: { code: 'invalid_input', message: expect.not.stringContaining('S3cr3t') as string },
    });
    expect(answered).toEqual({ status: 'fulfilled', value: 1 });
  });

  it('reads a large scope, and refuses a large result', async () => {
    const rows = Array.from({ length: 18_000 }, () => ({ text: 'b'.repeat(40) }));
    const large = { inputs: {}, steps: { a: { result: { rows } } } };
    expect(await fill('${steps.a.result.rows[17999].text}', large)).toBe('b'.repeat(40));
    expect(await fill('${steps.a.result}', large)).toEqual({ rows });
    await expect(fill(['${steps.a.result}', '${steps.a.result}'], large)).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect(fill('${steps.a.result}${steps.a.result}', large)).rejects.toMatchObject({
      code: 'too_large',
    });
    await expect(fill('x'.repeat(1024 * 1024 + 1), large)).rejects.toMatchObject({ code: 'too_large' });
  });

  it.each([
    ['an unknown function', '${sise(inputs)}', 'Did you mean "size"?'],
    ['half an expression', '${1 +}', 'cannot be read'],
    ['a computed step', '${steps[inputs.team]}', 'Name the step literally'],
    ['an open brace', '${x', 'has no closing brace'],
    ['too many expressions', Array.from({ length: 1001 }, (_, index) => `\${${index}}`), 'more than 1000 expressions'],
  ])('refuses %s', async (_, value, words) => {
    await expect(fill(value, scope)).rejects.toMatchObject({
      name: 'AppError',
      message: expect.stringContaining(words) as string,
    });
  });
});

describe('isTrue', () => {
  it('wants a boolean', async () => {
    expect(await evaluator.isTrue('${inputs.n > 1}', scope)).toBe(true);
    expect(await evaluator.isTrue('${inputs.n > 2}', scope)).toBe(false);
    for (const other of ['${inputs.n}', 'true', '${true} ', '${null}', '${[true]}'])
      await expect(evaluator.isTrue(other, scope)).rejects.toThrow('must give true or false');
  });
});

describe('the limit', () => {
  it('stops an expression, and the next thread does what is waiting', async () => {
    let turns = 0;
    const ticking = setInterval(() => turns++, 5);
    const asked = [
      fill(['${1}', `\${${endless}}`], scope),
      fill('${inputs.n + 40}', scope),
      evaluator.isTrue(`\${${endless} == []}`, scope),
      fill('${inputs.team}', { inputs: { team: 'b' } }),
    ];
    const [stopped, answered, also, last] = await Promise.allSettled(asked);
    clearInterval(ticking);
    expect(stopped).toMatchObject({
      reason: { code: 'timeout', message: expect.stringContaining(`\${${nine}.map`) as string },
    });
    expect(answered).toEqual({ status: 'fulfilled', value: 42 });
    expect(also).toMatchObject({ reason: { code: 'timeout' } });
    expect(last).toEqual({ status: 'fulfilled', value: 'b' });
    expect(turns).toBeGreaterThan(20);
  });

  it.each([
    ['a text that doubles', `["a"]${'.map(x, x + x)'.repeat(40)}`],
    ['a list that doubles', `[[1, 1]]${'.map(x, x + x)'.repeat(40)}`],
    ['a tree that doubles', `[[1, 1]]${'.map(x, [x, x])'.repeat(40)}`],
    ['a comparison of such trees', `[1]${'.map(x, [x, x])'.repeat(30)} == [1]${'.map(x, [x, x])'.repeat(30)}`],
    ['a bad pattern', 'inputs.long.matches("(a{0,1000}){0,1000}")'],
    ['a slow pattern', 'inputs.long.matches("(((a?){0,30}){0,30})$") || size(inputs.long.split("")) < 0 || [][0]'],
    ['replacements', `"aaaaaaaaaa"${'.replace("a", "aaaaaaaaaa")'.repeat(20)}`],
    ['nesting', `${'('.repeat(500)}1${')'.repeat(500)}`],
    ['signs', `${'!'.repeat(1901)}inputs.n`],
  ])('holds for %s', async (_, source) => {
    const long = { inputs: { long: `${'a'.repeat(200_000)}b`, n: 1 } };
    await expect(fill(`\${${source}}`, long)).rejects.toMatchObject({ name: 'AppError' });
    expect(await fill('${1}', scope)).toBe(1);
  });

  it('holds for a pattern of an input', async () => {
    const schemas = { a: { type: 'string' }, b: { type: 'string', pattern: '^(a+)+$' } };
    await expect(evaluator.checkInputs(schemas, { a: '', b: `${'a'.repeat(60)}b` })).rejects.toThrow(
      'The check of the input "b" took longer than 200 ms',
    );
    expect(await evaluator.checkInputs(schemas, { a: '', b: 'aa' })).toEqual({ a: '', b: 'aa' });
  });
});

describe('the thread', () => {
  it('answers many callers without mixing them', async () => {
    const all = Array.from({ length: 200 }, (_, n) => fill('${inputs.n * 2}', { inputs: { n } }));
    expect(await Promise.all(all)).toEqual(Array.from({ length: 200 }, (_, n) => n * 2));
  });

  it('ends when it is idle, and starts again', async () => {
    await using idle = createEvaluator({ idleMs: 1 });
    const started = once(process, 'worker') as Promise<[Worker]>;
    expect(await idle.fill('${1}', {})).toBe(1);
    const [worker] = await started;
    if (worker.threadId !== -1) await once(worker, 'exit');
    expect(await idle.fill('${2}', {})).toBe(2);
  });

  it('is not stopped because the main thread was busy when the answer came', async () => {
    // About 30 ms, while the limit is 200.
    const slow = `size(${nine}${'.map(a, N'.repeat(3).replaceAll('N', nine)}.map(b, 1${')'.repeat(5)}`;
    expect(await fill('${1}', {})).toBe(1);
    const asked = fill(`\${${slow}}`, {});
    const block = () => {
      const end = performance.now() + 300;
      while (performance.now() < end);
    };
    setTimeout(() => stat('.', block), 3);
    expect(await asked).toBe(9);
  });

  it('does not keep the process alive', async () => {
    const module = JSON.stringify(new URL('evaluator.ts', import.meta.url).href);
    const script = `const { createEvaluator } = await import(${module});
      console.log(await createEvaluator({ idleMs: 600_000 }).fill('\${1 + 1}', {}));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], {
      timeout: 20_000,
    });
    expect(stdout.trim()).toBe('2');
  });

  it('refuses everything after it was closed', async () => {
    const closing = createEvaluator();
    const waiting = closing.fill('${1}', {});
    const [refused] = await Promise.allSettled([waiting, closing[Symbol.asyncDispose]()]);
    expect(refused).toMatchObject({ reason: { code: 'unavailable' } });
    await expect(closing.fill('${1}', {})).rejects.toMatchObject({ code: 'unavailable' });
  });
});
