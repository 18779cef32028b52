import { describe, expect, test } from 'vitest';
import type { CallContext } from '../../kernel/source.ts';
import { traceFrom } from '../../kernel/trace.ts';
import { createNesting, type Turn } from './nesting.ts';

const tool = (name: string) => ({ key: name, name });
const caller = (headers: Turn['headers'] | Record<string, never> = {}, name = 'claude') =>
  ({ trace: traceFrom(headers), client: { info: { name } } }) as unknown as CallContext;
const fromN8n = () => caller({}, '@n8n/n8n-nodes-langchain.mcpClientTool');

describe('runs that come out of one another', () => {
  test('two callers at once are no loop', () => {
    const nesting = createNesting();
    using _one = nesting.enter(tool('a'), caller(), true);
    using _other = nesting.enter(tool('a'), caller(), true);
    expect(nesting.inFlight('a')).toBe(2);
  });

  test('one that is called with the trace it was given is a loop, over any number of others', () => {
    const nesting = createNesting();
    using a = nesting.enter(tool('a'), caller(), false);
    using b = nesting.enter(tool('b'), caller(a.headers), false);
    using c = nesting.enter(tool('c'), caller(b.headers), false);
    expect(() => nesting.enter(tool('a'), caller(c.headers), false)).toThrow('a -> b -> c -> a');
  });

  test('baggage tells where the trace has gone through other hands', () => {
    const nesting = createNesting();
    using a = nesting.enter(tool('a'), caller(), false);
    const { baggage } = a.headers as { baggage: string };
    const traceparent = `00-${'1'.repeat(32)}-${'2'.repeat(16)}-01`;
    expect(() => nesting.enter(tool('a'), caller({ traceparent, baggage: `x=1, ${baggage};p=2` }), false)).toThrow(
      'within itself',
    );
  });

  test('what has ended is no longer in the way', () => {
    const nesting = createNesting();
    const a = nesting.enter(tool('a'), caller(), true);
    a[Symbol.dispose]();
    a[Symbol.dispose]();
    expect(nesting.inFlight('a')).toBe(0);
    using _again = nesting.enter(tool('a'), caller(a.headers), true);
  });

  test('a node inside n8n may call what runs, unless that can come back to itself', () => {
    const nesting = createNesting();
    using _a = nesting.enter(tool('a'), caller(), true);
    using _b = nesting.enter(tool('b'), caller(), false);
    expect(() => nesting.enter(tool('a'), fromN8n(), true)).toThrow('called from within itself');
    using _again = nesting.enter(tool('b'), fromN8n(), false);
  });

  test('a loop that nobody can see is cut off', () => {
    const nesting = createNesting();
    const turns: Turn[] = [];
    expect(() => {
      for (let i = 0; i < 100; i++) turns.push(nesting.enter(tool('a'), fromN8n(), false));
    }).toThrow('as in a loop');
    expect(turns).toHaveLength(20);
  });

  test('a chain of different ones is cut off too', () => {
    const nesting = createNesting();
    let headers: Turn['headers'] | undefined;
    expect(() => {
      for (let i = 0; i < 20; i++) headers = nesting.enter(tool(`t${i}`), caller(headers ?? {}), false).headers;
    }).toThrow('called one another');
  });
});
