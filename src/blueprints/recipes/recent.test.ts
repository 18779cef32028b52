import { describe, expect, it } from 'vitest';
import type { Callable } from '../../kernel/callable.ts';
import { AppError } from '../../kernel/errors.ts';
import type { CallContext, Entry, Json, Outcome } from '../../kernel/source.ts';
import { createCredential } from '../../n8n/credentials/create-credential.ts';
import { updateCredential } from '../../n8n/credentials/update-credential.ts';
import { boundedSize } from './bounded-size.ts';
import { createRecentCalls, type RecentCalls } from './recent.ts';

const callable = (name: string, more: Partial<Entry> = {}): Callable => ({
  name,
  source: 'ref',
  entry: {
    tool: name,
    wire: { name, inputSchema: {} },
    effect: 'execute',
    scope: 'ref:execute',
    call: () => Promise.reject(new Error('not called')),
    ...more,
  },
});

const as = (id: string, session?: string, more: object = {}) =>
  ({ principal: { id, scopes: 'all' }, client: { ...(session !== undefined && { session }) }, ...more }) as CallContext;

const ok = (data: unknown = {}): Outcome => {
  const result: Json = { content: [], structuredContent: data };
  return { result, json: JSON.stringify(result) };
};

function make(
  recent: RecentCalls,
  context: CallContext,
  given: Json = {},
  outcome: Outcome = ok(),
  tool = callable('ref__do'),
) {
  const ended = recent.observer.begins(tool, { name: tool.name, arguments: given }, context);
  const reason = outcome.failed?.code;
  if (reason === undefined) ended?.({ ms: 1, outcome, state: 'completed' });
  else if (reason === 'confirmation_required') ended?.({ ms: 1, outcome, state: 'unconfirmed' });
  else ended?.({ ms: 1, outcome, state: 'failed', reason });
}

const failure = (code: 'unavailable' | 'confirmation_required'): Outcome => ({
  result: { isError: true },
  failed: new AppError(code, 'No.'),
});

describe('recent calls', () => {
  it('are those of one caller in one session', () => {
    const recent = createRecentCalls(() => true);
    make(recent, as('ana', 's1'), { n: 1 });
    make(recent, as('ana', 's2'), { n: 2 });
    make(recent, as('ana'), { n: 3 });
    make(recent, as('bob', 's1'), { n: 4 });
    const seen = (context: CallContext) => recent.of(context).map((one) => one.arguments?.n);
    expect([as('ana', 's1'), as('ana', 's2'), as('ana'), as('bob', 's1'), as('bob')].map(seen)).toEqual([
      [1],
      [2],
      [3],
      [4],
      [],
    ]);
  });

  it('leave out calls of runs, calls within calls, some tools, and those that wait for a confirmation or an answer', () => {
    const recent = createRecentCalls((tool) => tool !== 'recipe_save');
    make(recent, as('ana', 's', { confirmed: true }));
    make(recent, as('ana', 's', { inner: true }));
    make(recent, as('ana', 's'), {}, ok(), callable('recipe_save'));
    make(recent, as('ana', 's'), {}, failure('confirmation_required'));
    make(recent, as('ana', 's'), {}, { result: { resultType: 'input_required' } });
    expect(recent.of(as('ana', 's'))).toEqual([]);
    make(recent, as('ana', 's'), { n: 1 }, failure('unavailable'));
    expect(recent.of(as('ana', 's'))).toMatchObject([{ failed: 'unavailable', arguments: { n: 1 } }]);
  });

  it('keep only the names of arguments that may be secrets', () => {
    const recent = createRecentCalls(() => true);
    const put = callable('vault_put', { recorded: ['path', 'options'] });
    make(recent, as('ana'), { path: 'db', value: 'hunter22', options: { a: 1 }, confirm: 'x' }, ok(), put);
    expect(recent.of(as('ana'))).toMatchObject([
      {
        arguments: { path: 'db' },
        withheld: [
          { name: 'value', type: 'string' },
          { name: 'options', type: 'object' },
        ],
      },
    ]);
    expect(JSON.stringify(recent.of(as('ana')))).not.toContain('hunter22');
  });

  it('keep no values of credentials', () => {
    const recent = createRecentCalls(() => true);
    for (const { name, recorded = [] } of [createCredential, updateCredential]) {
      const given = { name: 'Billing', data: { name: 'X-Billing', value: 'hunter22' } };
      make(recent, as('ana'), given, ok(), callable(name, { recorded }));
    }
    const kept = { arguments: { name: 'Billing' }, withheld: [{ name: 'data', type: 'object' }] };
    expect(recent.of(as('ana'))).toMatchObject([kept, kept]);
    expect(JSON.stringify(recent.of(as('ana')))).not.toContain('hunter22');
  });

  it('stay within the limits', () => {
    const recent = createRecentCalls(() => true);
    for (let n = 0; n < 1000; n++)
      make(recent, as('ana', 's'), { n, text: 'x'.repeat(30_000) }, ok('y'.repeat(30_000)));
    const { calls, size } = recent.usage();
    expect(calls).toBeLessThanOrEqual(50);
    expect(size).toBeLessThanOrEqual(2 * 1024 * 1024);
    expect(recent.of(as('ana', 's')).at(-1)).toMatchObject({ number: 1000, arguments: { n: 999 } });
    for (let n = 0; n < 1000; n++) make(recent, as(`key:${n}`, 's'), { text: 'x'.repeat(30_000) });
    expect(recent.usage().callers).toBe(200);
    expect(recent.of(as('ana', 's'))).toEqual([]);
    for (let n = 0; n < 8000; n++) make(recent, as(`key:${n % 200}`), { text: 'x'.repeat(60_000) });
    expect(recent.usage().size).toBeLessThanOrEqual(64 * 1024 * 1024);
    recent.clear();
    expect(recent.usage()).toEqual({ callers: 0, calls: 0, size: 0 });
  });

  it('are not lost because somebody else has thousands of sessions, or large calls', () => {
    const recent = createRecentCalls(() => true);
    make(recent, as('ana', 's'), { n: 1 });
    for (let n = 0; n < 1000; n++) make(recent, as('bob', `s${n}`), { n });
    expect(recent.usage().callers).toBe(200);
    expect(recent.of(as('bob', 's999'))).toHaveLength(1);
    for (let n = 0; n < 3000; n++) make(recent, as('bob', `s${n % 100}`), { text: 'x'.repeat(60_000) });
    expect(recent.usage().size).toBeLessThanOrEqual(64 * 1024 * 1024);
    expect(recent.of(as('ana', 's'))).toHaveLength(1);
  });

  it('drop what is too large of a call', () => {
    const recent = createRecentCalls(() => true);
    make(recent, as('ana'), { text: 'x'.repeat(1_000_000) }, ok());
    make(recent, as('ana', undefined, { bytes: 100_000 }), { text: 'x' }, ok('y'.repeat(100_000)));
    const [first, second] = recent.of(as('ana'));
    expect(first).not.toHaveProperty('arguments');
    expect(second).toMatchObject({ arguments: { text: 'x' } });
    expect(second).not.toHaveProperty('result');
    expect(recent.usage().size).toBeLessThan(2000);
  });

  it('are forgotten with the key or the sign-in', async () => {
    let time = 0;
    const recent = createRecentCalls(
      () => true,
      () => time,
    );
    const until = (expires: number) =>
      ({ principal: { id: 'oauth:x', scopes: 'all', expires }, client: {} }) as CallContext;
    const signedIn = until(100);
    make(recent, until(50));
    for (const context of [as('key:one'), as('key:two', 's'), as('local'), signedIn]) make(recent, context);
    const isLive = async () => (principal: string) => principal !== 'key:two';
    await recent.forgetEnded(isLive);
    expect(recent.usage().callers).toBe(3);
    expect(recent.of(as('key:two', 's'))).toEqual([]);
    time = 60;
    await recent.forgetEnded(isLive);
    expect(recent.of(signedIn)).toHaveLength(2);
    time = 100;
    await recent.forgetEnded(isLive);
    expect(recent.of(signedIn)).toEqual([]);
    expect(recent.usage()).toMatchObject({ callers: 2, calls: 2 });
  });
});

describe('the size of a value', () => {
  it('is about that of its JSON, and ends at the limit', () => {
    const value = { a: [1, 'two', { b: null }], ['__proto__x']: 'three' };
    expect(Math.abs(boundedSize(value, 1000) - JSON.stringify(value).length)).toBeLessThan(30);
    let deep: unknown = 1;
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    expect(boundedSize(deep, 1000)).toBeGreaterThan(1000);
    expect(boundedSize({ x: 'y'.repeat(5000) }, 1000)).toBeGreaterThan(1000);
  });
});
