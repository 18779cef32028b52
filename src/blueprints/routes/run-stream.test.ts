import { text } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import type { RunView } from '../service/run-view.ts';
import { runStream, type RunStreamOptions } from './run-stream.ts';

const view = (state: RunView['state'], done = 0): RunView => ({
  run: 'r-1',
  name: 'r',
  state,
  deployed_by: 'local',
  created_at: '2026-01-01T00:00:00.000Z',
  progress: { done, total: 2 },
  inputs: {},
  steps: [],
});

const never = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

function streamOf(views: RunView[], more: Partial<RunStreamOptions> = {}) {
  const onEnd = vi.fn<() => void>();
  const [first = view('running'), ...rest] = views;
  const stream = runStream({
    first,
    view: async () => rest.shift() ?? first,
    changed: async () => {},
    signal: new AbortController().signal,
    onEnd,
    ...more,
  });
  return { stream, onEnd };
}

test('tells each change once, and ends with the run', async () => {
  const { stream, onEnd } = streamOf([view('running'), view('running'), view('running', 1), view('succeeded', 2)]);
  const said = await text(stream);
  expect([...said.matchAll(/"state":"(\w+)".*?"done":(\d)/g)].map(([, state, done]) => `${state} ${done}`)).toEqual([
    'running 0',
    'running 1',
    'succeeded 2',
  ]);
  expect(said.endsWith('id: end\nevent: end\ndata: {"state":"succeeded"}\n\n')).toBe(true);
  expect(onEnd).toHaveBeenCalledOnce();
});

test('keeps a quiet stream alive, and ends it at its maximum age', async () => {
  const { stream, onEnd } = streamOf([view('waiting')], { changed: never, heartbeatMs: 5, lifetimeMs: 30 });
  const said = await text(stream);
  expect(said).toContain(': alive\n\n');
  expect(said).toContain('maximum age');
  expect(onEnd).toHaveBeenCalledOnce();
});

test.each(['before', 'after'])('says that the gateway stops, if it does so %s it begins', async (when) => {
  const stop = new AbortController();
  if (when === 'before') stop.abort();
  const { stream, onEnd } = streamOf([view('waiting')], { changed: never, signal: stop.signal });
  setImmediate(() => stop.abort());
  expect(await text(stream)).toContain('stopping');
  expect(onEnd).toHaveBeenCalledOnce();
});

test('ends if the run cannot be read, or the reader leaves', async () => {
  const broken = streamOf([view('running')], { view: () => Promise.reject(new Error('away')) });
  expect(await text(broken.stream)).toContain('cannot read the run');
  expect(broken.onEnd).toHaveBeenCalledOnce();
  const left = streamOf([view('running')], { changed: never });
  await left.stream.cancel();
  expect(left.onEnd).toHaveBeenCalledOnce();
});
