import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../kernel/source.ts';
import { traceFrom } from '../../kernel/trace.ts';
import { createNesting, type Turn } from './nesting.ts';
import { NO_RISK, type Risk } from './risk.ts';

const tool = (name: string) => ({ key: name, name });
const caller = (headers: Record<string, string> = {}, name: string | undefined = 'claude') =>
  ({ trace: traceFrom(headers), client: { ...(name !== '' && { info: { name } }) } }) as unknown as CallContext;
const fromN8n = (headers: Record<string, string> = {}) => caller(headers, '@n8n/n8n-nodes-langchain.mcpClientTool');
const nameless = () => caller({}, '');
const nestingWith = (risk: Partial<Risk> = {}) => createNesting(() => ({ ...NO_RISK, ...risk }));
/** How many calls are accepted before one is refused. */
function letIn(nesting: ReturnType<typeof createNesting>, by: () => CallContext, message: string | RegExp): number {
  const turns: Turn[] = [];
  expect(() => {
    for (let i = 0; i < 100; i++) turns.push(nesting.enter(tool('a'), by()));
  }).toThrow(message);
  return turns.length;
}

describe('nested calls', () => {
  test('two callers at once are no loop', () => {
    const nesting = nestingWith({ comesBack: true });
    using _one = nesting.enter(tool('a'), caller());
    using _other = nesting.enter(tool('a'), caller());
    expect(nesting.inFlight('a')).toBe(2);
  });

  test('a call that carries the trace of its own run is a loop, over any number of others', () => {
    const nesting = nestingWith();
    using a = nesting.enter(tool('a'), caller());
    using b = nesting.enter(tool('b'), caller(a.headers));
    using c = nesting.enter(tool('c'), caller(b.headers));
    expect(() => nesting.enter(tool('a'), caller(c.headers))).toThrow('a -> b -> c -> a');
  });

  test('baggage reveals a loop if something else changed the trace', () => {
    const nesting = nestingWith();
    using a = nesting.enter(tool('a'), caller());
    const { baggage } = a.headers as { baggage: string };
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    expect(() => nesting.enter(tool('a'), caller({ traceparent, baggage: `x=1, ${baggage};p=2` }))).toThrow(
      'within itself',
    );
  });

  test('a call that has ended no longer counts', () => {
    const nesting = nestingWith({ comesBack: true });
    const a = nesting.enter(tool('a'), caller());
    a[Symbol.dispose]();
    a[Symbol.dispose]();
    expect(nesting.inFlight('a')).toBe(0);
    using _again = nesting.enter(tool('a'), fromN8n({ ...a.headers }));
  });

  test('a node in n8n may call a running tool, unless that tool can call itself', () => {
    const nesting = createNesting((key) => ({ ...NO_RISK, comesBack: key === 'a' }));
    using _a = nesting.enter(tool('a'), caller());
    using _b = nesting.enter(tool('b'), caller());
    expect(() => nesting.enter(tool('a'), fromN8n())).toThrow('called from within itself');
    using _again = nesting.enter(tool('b'), fromN8n());
  });

  test('a call that names another run as its origin is accepted', () => {
    const nesting = nestingWith({ comesBack: true });
    using _a = nesting.enter(tool('a'), caller());
    using other = nesting.enter(tool('other'), caller());
    using _from = nesting.enter(tool('a'), fromN8n({ ...other.headers }));
    expect(nesting.inFlight('a')).toBe(2);
  });

  test('an invisible loop is cut off, sooner if a callee is unknown', () => {
    expect(letIn(nestingWith(), fromN8n, 'as in a loop')).toBe(20);
    expect(letIn(nestingWith({ unseen: true }), fromN8n, 'as in a loop')).toBe(5);
  });

  test('callers without a name count only if an HTTP Request node calls us', () => {
    expect(letIn(nestingWith({ overHttp: true }), nameless, 'as in a loop')).toBe(5);
    const nesting = nestingWith({ unseen: true, comesBack: true });
    for (let i = 0; i < 100; i++) nesting.enter(tool('a'), nameless());
    expect(nesting.inFlight('a')).toBe(100);
  });

  test('a chain of different tools is cut off too', () => {
    const nesting = nestingWith();
    let headers: Turn['headers'] | undefined;
    expect(() => {
      for (let i = 0; i < 20; i++) headers = nesting.enter(tool(`t${i}`), caller(headers ?? {})).headers;
    }).toThrow('nested calls');
  });
});
