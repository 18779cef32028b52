import { describe, expect, it } from 'vitest';
import { createLines, type ServerSent } from './sse.ts';

const read = (...pieces: string[]) => {
  const seen: ServerSent[] = [];
  const lines = createLines((event) => seen.push(event));
  for (const piece of pieces) lines(piece);
  return seen;
};

describe('server-sent events', () => {
  it('reads ids, types and data of several lines', () => {
    expect(read('id: 7\ndata: {"a":\ndata: 1}\n\nevent: end\ndata: bye\n\n')).toEqual([
      { id: '7', event: undefined, data: '{"a":\n1}' },
      { id: undefined, event: 'end', data: 'bye' },
    ]);
  });

  it('joins pieces wherever they were cut', () => {
    const whole = 'id: 12\r\ndata: gr\u00fc\u00dfe\r\n\r\n';
    expect(read(...whole.split(''))).toEqual(read(whole));
    expect(read(...whole.split(''))).toEqual([{ id: '12', event: undefined, data: 'gr\u00fc\u00dfe' }]);
  });

  it('reports neither comments nor half events', () => {
    expect(read(': alive\n\n', 'id: 3\n\n', 'data: half')).toEqual([]);
  });
});
