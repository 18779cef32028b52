import { expect, it, vi } from 'vitest';
import { Cancellation } from './cancellation.ts';

it('calls each listener once, and later ones never', () => {
  const cancellation = new Cancellation();
  const heard = vi.fn<() => void>();
  const gone = vi.fn<() => void>();
  cancellation.addEventListener('abort', heard);
  cancellation.addEventListener('abort', gone);
  cancellation.removeEventListener('abort', gone);
  cancellation.abort('why');
  cancellation.abort('again');
  cancellation.addEventListener('abort', gone);
  expect([heard.mock.calls.length, gone.mock.calls.length]).toEqual([1, 0]);
  expect([cancellation.aborted, cancellation.reason]).toEqual([true, 'why']);
});

it('creates a real signal on demand, before and after the abort', () => {
  const cancellation = new Cancellation();
  const { signal } = cancellation;
  expect(signal).toBeInstanceOf(AbortSignal);
  expect(cancellation.signal).toBe(signal);
  cancellation.abort('why');
  expect([signal.aborted, signal.reason]).toEqual([true, 'why']);

  const late = new Cancellation();
  late.abort('before');
  expect([late.signal.aborted, late.signal.reason]).toEqual([true, 'before']);
});

it('lets a listener remove another during the abort', () => {
  const cancellation = new Cancellation();
  const second = vi.fn<() => void>();
  cancellation.addEventListener('abort', () => cancellation.removeEventListener('abort', second));
  cancellation.addEventListener('abort', second);
  cancellation.abort('why');
  expect(second).toHaveBeenCalledTimes(1);
});
