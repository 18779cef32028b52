import { describe, expect, test } from 'vitest';
import { openParts, type NamedPart } from './open.ts';
import { type AnyPart, type None, type OpenPart, part, type Parts } from './part.ts';
import type { WaitingRoom } from './waiting.ts';

type Step = 'open' | 'begin' | 'reload' | 'close';

/** Three parts that record what happens to them. One of them fails at one step. */
function fakes(broken?: { name: string; at: Step }) {
  const told: string[] = [];
  const step = (name: string, at: Step) => {
    told.push(`${at} ${name}`);
    if (broken?.name === name && broken.at === at) throw new Error(`${at} of ${name} failed`);
  };
  const fake = (name: string, uses: Parts = {}) =>
    part<string, None, Parts>({
      uses,
      open(_, used) {
        step(name, 'open');
        return {
          api: [name, ...Object.values(used)].join('+'),
          begin: async () => step(name, 'begin'),
          reload: async () => step(name, 'reload'),
          [Symbol.asyncDispose]: async () => step(name, 'close'),
        };
      },
    }) as AnyPart;
  const a = fake('a');
  const b = fake('b', { a });
  const c = fake('c', { a, b });
  return { parts: { a, b, c }, told };
}

async function opened(parts: Parts, stack: AsyncDisposableStack) {
  const open: NamedPart[] = [];
  return openParts(parts, stack, {} as never, { open, claims: () => [], health: () => [] });
}

const names = ['a', 'b', 'c'];

test('parts open in order, each with the Apis of earlier ones, and close in reverse', async () => {
  const { parts, told } = fakes();
  const stack = new AsyncDisposableStack();
  const { apis, begin } = await opened(parts, stack);
  await begin();
  await stack.disposeAsync();
  expect(apis).toEqual({ a: 'a', b: 'b+a', c: 'c+a+b+a' });
  expect(told).toEqual([
    ...names.map((name) => `open ${name}`),
    ...names.map((name) => `begin ${name}`),
    ...names.toReversed().map((name) => `close ${name}`),
  ]);
});

describe.each(names)('when %s fails', (name) => {
  test('to open, those before it are closed and nothing after it is opened', async () => {
    const { parts, told } = fakes({ name, at: 'open' });
    const stack = new AsyncDisposableStack();
    await expect(opened(parts, stack)).rejects.toThrow(`open of ${name} failed`);
    await stack.disposeAsync();
    const before = names.slice(0, names.indexOf(name));
    expect(told).toEqual([
      ...[...before, name].map((one) => `open ${one}`),
      ...before.toReversed().map((one) => `close ${one}`),
    ]);
  });

  test('to begin, the start fails, and all are closed', async () => {
    const { parts, told } = fakes({ name, at: 'begin' });
    const stack = new AsyncDisposableStack();
    const { begin } = await opened(parts, stack);
    await expect(begin()).rejects.toThrow(`begin of ${name} failed`);
    await stack.disposeAsync();
    expect(told.slice(-3)).toEqual(names.toReversed().map((one) => `close ${one}`));
  });

  test('to apply new settings, the others still do', async () => {
    const { parts, told } = fakes({ name, at: 'reload' });
    await using stack = new AsyncDisposableStack();
    const { reload } = await opened(parts, stack);
    expect((await reload()).failed).toEqual([`${name}: reload of ${name} failed`]);
    expect(told.slice(-3)).toEqual(names.map((one) => `reload ${one}`));
  });

  test('to close, the others still close', async () => {
    const { parts, told } = fakes({ name, at: 'close' });
    const stack = new AsyncDisposableStack();
    await opened(parts, stack);
    await expect(stack.disposeAsync()).rejects.toThrow(`close of ${name} failed`);
    expect(told.slice(-3)).toEqual(names.toReversed().map((one) => `close ${one}`));
  });
});

test('a part has one waiting room with its name, or several with names of their own', async () => {
  const room = (id: string): WaitingRoom => ({
    list: async () => [{ id, kind: 'approval', title: id, decides: false }],
  });
  const named = (waiting?: OpenPart<undefined>['waiting']) =>
    part({ open: () => ({ api: undefined, ...(waiting && { waiting }) }) }) as AnyPart;
  const rooms = new Map([
    ['second', room('2')],
    ['third', room('3')],
  ] as const);
  await using stack = new AsyncDisposableStack();
  const { all } = await opened({ none: named(), first: named(room('1')), more: named(rooms) }, stack);
  expect([...all.waiting().keys()]).toEqual(['first', 'second', 'third']);
});
