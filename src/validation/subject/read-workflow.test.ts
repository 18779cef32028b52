import { describe, expect, it } from 'vitest';
import { readWorkflow } from './read-workflow.ts';

const paths = (input: unknown) => readWorkflow(input).problems.map(({ path }) => path);

describe('reading a workflow', () => {
  it('does not copy plain JSON', () => {
    const given = { nodes: [], connections: {} };
    expect(readWorkflow(given)).toEqual({ workflow: given, at: '', problems: [] });
    expect(readWorkflow(given).workflow).toBe(given);
  });

  it('gives a template the name of its wrapper', () => {
    expect(readWorkflow({ name: 'Outer', workflow: { nodes: [] } }).workflow).toEqual({ name: 'Outer', nodes: [] });
    expect(readWorkflow({ name: 'Outer', workflow: { name: 'Own', nodes: [] } }).workflow).toMatchObject({
      name: 'Own',
    });
  });

  it.each([
    ['/workflow', { workflow: { nodes: [] } }],
    ['/workflow/workflow', { workflow: { workflow: { nodes: [] } } }],
    ['/data', { data: { nodes: [] } }],
    ['/0', [{ nodes: [] }]],
    ['/data/0', { data: [{ nodes: [] }] }],
  ])('finds the workflow inside a wrapper: %s', (at, given) => {
    expect(readWorkflow(given)).toMatchObject({ at, workflow: { nodes: [] } });
    expect(readWorkflow(JSON.stringify(given))).toMatchObject({ at });
  });

  it('does not unwrap an object that has nodes', () => {
    const given = { nodes: [], workflow: { nodes: [1] } };
    expect(readWorkflow(given).workflow).toBe(given);
  });

  it('removes cycles, and says where', () => {
    const list: unknown[] = [];
    list.push({ back: list });
    expect(paths({ nodes: list })).toEqual(['/nodes/0/back']);
    expect(readWorkflow({ nodes: list }).workflow).toEqual({ nodes: [{}] });
  });

  it('allows the same object in two places', () => {
    const shared = { a: 1 };
    expect(paths({ nodes: [shared, shared] })).toEqual([]);
  });

  it('stops at a tree that expands exponentially', () => {
    let tree: unknown = ['leaf'];
    for (let depth = 0; depth < 100; depth++) tree = [tree, tree];
    expect(readWorkflow({ nodes: tree }).problems[0]?.message).toContain('too large');
  });

  it('stops at extreme nesting', () => {
    const text = `{"nodes":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect(readWorkflow(text).problems[0]?.message).toContain('deep');
  });

  it.each([
    ['a function', { nodes: [], run: () => 1 }, '/run'],
    ['a big integer', { nodes: [], big: 1n }, '/big'],
    ['NaN', { nodes: [Number.NaN] }, '/nodes/0'],
    [
      'a getter that throws',
      {
        nodes: [],
        get trap(): never {
          throw new Error('trap');
        },
      },
      '/trap',
    ],
  ])('says where it removes %s', (_, given, path) => {
    expect(paths(given)).toEqual([path]);
  });

  it('silently drops what JSON drops', () => {
    expect(readWorkflow({ nodes: [], name: undefined })).toEqual({ workflow: { nodes: [] }, at: '', problems: [] });
  });

  it('survives a proxy that throws on every access', () => {
    const refuse = () => {
      throw new Error('no');
    };
    const given = new Proxy(
      {},
      { get: refuse, ownKeys: refuse, getPrototypeOf: refuse, getOwnPropertyDescriptor: refuse },
    );
    expect(readWorkflow(given)).toMatchObject({ workflow: undefined, problems: [{ path: '' }] });
  });

  it('survives a revoked proxy', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(readWorkflow(proxy)).toMatchObject({ workflow: undefined, problems: [{ path: '' }] });
    expect(readWorkflow({ nodes: [proxy] }).workflow).toBeUndefined();
  });

  it('keeps __proto__ as an ordinary key', () => {
    const { workflow } = readWorkflow('{"nodes":[],"__proto__":{"polluted":true}}');
    expect(Object.keys(workflow ?? {})).toContain('__proto__');
    const copied = readWorkflow({ ...JSON.parse('{"nodes":[{"__proto__":{"polluted":true}}]}'), odd: () => 1 });
    expect(Object.keys((copied.workflow as { nodes: object[] }).nodes[0] ?? {})).toEqual(['__proto__']);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
