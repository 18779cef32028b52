import { expect, test } from 'vitest';
import { progressFor } from './progress.ts';
import type { CallContext, Json } from './source.ts';

function heard(_meta?: Json) {
  const sent: [string, Json][] = [];
  const context = { notify: (method: string, params: Json) => void sent.push([method, params]) };
  const params = { name: 't', ...(_meta && { _meta }) };
  return { sent, progress: progressFor(params, context as Partial<CallContext> as CallContext) };
}

test('progress goes to the token that was given', () => {
  const { sent, progress } = heard({ progressToken: 0 });
  progress(1, 3, 'half-way');
  progress(2);
  expect(sent).toEqual([
    ['notifications/progress', { progressToken: 0, progress: 1, total: 3, message: 'half-way' }],
    ['notifications/progress', { progressToken: 0, progress: 2 }],
  ]);
});

test.each([[undefined], [{}], [{ progressToken: null }]])(
  'nothing is told to a caller who asked for none: %j',
  (meta) => {
    const { sent, progress } = heard(meta);
    progress(1);
    expect(sent).toEqual([]);
  },
);
