import { setFlagsFromString } from 'node:v8';
import { runInThisContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Cancellation } from '../kernel/cancellation.ts';
import { AppError } from '../kernel/errors.ts';
import { localOwner } from '../kernel/principal.ts';
import { traceFrom } from '../kernel/trace.ts';
import { RequestExchange } from './exchange.ts';

setFlagsFromString('--allow-natives-syntax');
const isFast = runInThisContext('(object) => %HasFastProperties(object)') as (object: object) => boolean;

function exchange(
  extra: { paramHeaders?: Record<string, string>; confirmToken?: string } = {},
  stop = new Cancellation(),
) {
  return new RequestExchange({
    principal: localOwner,
    view: {},
    client: { era: 'legacy', version: '2025-06-18', capabilities: {} },
    stop,
    trace: traceFrom(),
    notify: () => {},
    ask: () => Promise.resolve({ result: {} }),
    ...extra,
  });
}

describe('the exchange of a request', () => {
  it('is not a dictionary in V8, as an object literal with a getter would be', () => {
    expect(isFast(exchange())).toBe(true);
    expect(isFast(exchange({ paramHeaders: { 'mcp-param-a': '1' } }))).toBe(true);
    const literal = {
      get signal() {
        return undefined;
      },
    };
    expect(isFast(literal)).toBe(false);
  });

  it('has a signal that matches its stop, whichever is used first', () => {
    const stop = new Cancellation();
    const { signal } = exchange({}, stop);
    expect(signal.aborted).toBe(false);
    const reason = new AppError('cancelled', 'enough');
    stop.abort(reason);
    expect(signal.reason).toBe(reason);
    expect(exchange({}, stop).signal.aborted).toBe(true);
  });

  it('passes on optional fields', () => {
    expect(exchange().paramHeaders).toBeUndefined();
    expect(exchange({ confirmToken: 't', paramHeaders: { 'mcp-param-a': '1' } })).toMatchObject({
      confirmToken: 't',
      paramHeaders: { 'mcp-param-a': '1' },
    });
  });
});
