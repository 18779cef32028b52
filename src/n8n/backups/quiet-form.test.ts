import { describe, expect, it } from 'vitest';
import { quietForm, quietText } from './quiet-form.ts';

const base = { id: 'w', name: 'N', active: false, isArchived: false, nodes: [], connections: {} };

describe('the quiet form of a workflow', () => {
  it('has the same keys in the same order, whatever their order was', () => {
    const node = { name: 'A', type: 't', id: '1', parameters: { b: 1, a: { d: 1, c: 2 } } };
    const turned = { parameters: { a: { c: 2, d: 1 }, b: 1 }, id: '1', type: 't', name: 'A' };
    const one = quietText({ ...base, nodes: [node], settings: { y: 1, x: 2 } });
    const other = quietText({ ...base, settings: { x: 2, y: 1 }, nodes: [turned] });
    expect(other).toBe(one);
  });

  it('leaves out what changes by itself', () => {
    const noisy = { ...base, versionId: 'v', updatedAt: 't', triggerCount: 4, staticData: { a: 1 }, versionCounter: 9 };
    expect(quietForm(noisy)).toEqual(quietForm(base));
  });

  it('names tags without their ids', () => {
    const tags = [
      { id: '2', name: 'b' },
      { id: '1', name: 'a' },
    ];
    expect(quietForm({ ...base, tags })).toMatchObject({ tags: [{ name: 'a' }, { name: 'b' }] });
  });

  it('keeps the order of lists, because it has a meaning', () => {
    const nodes = ['Z', 'A'].map((name) => ({ name, type: 't', parameters: {} }));
    expect(quietForm({ ...base, nodes }).nodes).toEqual([
      { name: 'Z', parameters: {}, type: 't' },
      { name: 'A', parameters: {}, type: 't' },
    ]);
  });
});
