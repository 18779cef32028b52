import { expect, test } from 'vitest';
import type { Callable } from '../kernel/callable.ts';
import type { Fact } from '../kernel/facts.ts';
import { createRedactor } from '../kernel/redact.ts';
import type { CallContext } from '../kernel/source.ts';
import { argumentsObserver, argumentsText } from './call-arguments.ts';

const redact = createRedactor(() => ['hunter2-secret']);

test('arguments are recorded as JSON', () => {
  expect(argumentsText({ a: 1, b: ['x'] }, redact)).toBe('{"a":1,"b":["x"]}');
});

test('secrets, and values whose name sounds like a secret, are redacted', () => {
  const text = argumentsText(
    { apiKey: 'abc', nested: { password: 'def', note: 'my hunter2-secret!' }, 'hunter2-secret': 1 },
    redact,
  );
  expect(text).not.toMatch(/abc|def|hunter2/);
  expect(text).toContain('"note":"my [redacted]!"');
});

test('long arguments are redacted first, then cut at 2 KB between characters', () => {
  const long = argumentsText({ text: 'ü'.repeat(5000) }, redact);
  expect(Buffer.byteLength(long)).toBeLessThanOrEqual(2048);
  expect(long).toMatch(/ü…$/);
  // Cutting first would leave half the secret.
  const edge = argumentsText({ text: `${'x'.repeat(2030)}hunter2-secret` }, redact);
  expect(edge).not.toContain('hunter2');
});

test('arguments are recorded only when enabled', () => {
  const facts: Fact[] = [];
  let enabled = false;
  const observer = argumentsObserver({
    events: { record: (fact) => void facts.push(fact) },
    enabled: () => enabled,
    redact,
  });
  const callable = { name: 's__t', source: 's', entry: {} } as Callable;
  const context = { principal: { id: 'p', scopes: 'all' }, trace: { traceId: 't' } } as unknown as CallContext;
  observer.begins(callable, { name: 's__t', arguments: { a: 1 } }, context);
  expect(facts).toEqual([]);
  enabled = true;
  observer.begins(callable, { name: 's__t', arguments: { a: 1 } }, context);
  expect(facts).toEqual([
    { type: 'tool.call_arguments', tool: 's__t', source: 's', principal: 'p', arguments: '{"a":1}' },
  ]);
});

test('of a tool that is given secrets, only values that may be are recorded', () => {
  const facts: Fact[] = [];
  const events = { record: (fact: Fact) => void facts.push(fact) };
  const observer = argumentsObserver({ events, enabled: () => true, redact });
  const callable = { name: 't', source: 's', entry: { recorded: ['path', 'cas'] } } as unknown as Callable;
  const context = { principal: { id: 'p', scopes: 'all' }, trace: { traceId: 't' } } as unknown as CallContext;
  const given = { path: 'a/b', cas: 1, data: { pin: 'one' }, value: 'two' };
  observer.begins(callable, { name: 't', arguments: given }, context);
  observer.begins(callable, { name: 't', arguments: { path: { pin: 'three' } } }, context);
  expect(facts.map((fact) => (fact as unknown as { arguments: string }).arguments)).toEqual([
    '{"path":"a/b","cas":1,"data":"[redacted]","value":"[redacted]"}',
    '{"path":"[redacted]"}',
  ]);
});
