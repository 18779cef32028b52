import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../test/validation/cpu-time.ts';
import type { OwnResources, ToolSource } from '../kernel/source.ts';
import type { Backend } from './backends/backend.ts';
import { createResourceIndex } from './resources.ts';

function backend(name: string, uris: string[] = [], templates: string[] = []): Backend {
  const resources = uris.map((uri) => ({ uri, name: uri }));
  const catalogue = {
    capabilities: { resources: {} },
    resources,
    templates: templates.map((uriTemplate) => ({ uriTemplate, name: uriTemplate })),
  };
  return { name, catalogue } as unknown as Backend;
}

const routesOf = (index: ReturnType<typeof createResourceIndex>, uri: string) =>
  index.routes(uri).map(({ backend: { name }, uri: own }) => `${name} ${own}`);

test('URIs stay unchanged and lead to their backend', () => {
  const index = createResourceIndex(() => [backend('a', ['file:///a', 'x://1']), backend('b', ['file:///b'])]);
  expect(index.resources().map(({ item }) => item.uri)).toEqual(['file:///a', 'x://1', 'file:///b']);
  expect(routesOf(index, 'file:///b')).toEqual(['b file:///b']);
});

test('if two backends claim a URI, the second one gets its name in front', () => {
  const [a, b] = [backend('a', ['x://1']), backend('b', ['x://1'])] as [Backend, Backend];
  const index = createResourceIndex(() => [a, b]);
  expect(index.resources().map(({ item }) => item.uri)).toEqual(['x://1', 'b+x://1']);
  expect(routesOf(index, 'x://1')).toEqual(['a x://1']);
  expect(routesOf(index, 'b+x://1')).toEqual(['b x://1']);
  expect([index.exposed(a, 'x://1'), index.exposed(b, 'x://1'), index.exposed(b, 'x://else')]).toEqual([
    'x://1',
    'b+x://1',
    'x://else',
  ]);
});

describe('templates', () => {
  test.each([
    ['test://t/{id}/data', 'test://t/42/data', true],
    ['test://t/{id}/data', 'test://t/4/2/data', false],
    ['test://t/{id}/data', 'test://t//data', false],
    ['file:///{+path}', 'file:///a/b/c.txt', true],
    ['file:///{+path}/x/{id}', 'file:///a/x/b/x/7', true],
    ['x://s{?q,lang}', 'x://s?q=1&lang=de', true],
    ['x://s{?q,lang}', 'x://s', true],
    ['x://s{/rest}', 'x://s/a', true],
    ['x://s{/rest}', 'x://other', false],
    ['x://a.b/{id}', 'x://aXb/1', false],
    ['x://{a}-{b}', 'x://1-2-3', true],
    ['x://{a}-{b}', 'x://12', false],
    ['x://{a}{b}', 'x://12', true],
    ['x://fixed', 'x://fixed', true],
    ['x://fixed', 'x://fixed2', false],
  ])('%s and %s: %s', (template, uri, fits) => {
    const owner = backend('owner', [], [template]);
    const index = createResourceIndex(() => [owner, backend('other')]);
    // A URI that matches no template is tried at every backend.
    expect(routesOf(index, uri)).toEqual(fits ? [`owner ${uri}`] : [`owner ${uri}`, `other ${uri}`]);
  });

  test('claimed twice: both are asked for the plain URI, the second also for its own', () => {
    const index = createResourceIndex(() => [backend('a', [], ['t://{id}']), backend('b', [], ['t://{id}'])]);
    expect(index.templates().map(({ item }) => item.uriTemplate)).toEqual(['t://{id}', 'b+t://{id}']);
    expect(routesOf(index, 't://1')[0]).toBe('a t://1');
    expect(routesOf(index, 'b+t://1')).toEqual(['b t://1']);
    expect(index.template('b+t://{id}')).toMatchObject({ backend: { name: 'b' }, uri: 't://{id}' });
    expect(index.template('t://{id}')).toMatchObject({ backend: { name: 'a' }, uri: 't://{id}' });
    expect(index.template('t://{other}')).toBeUndefined();
  });

  test('no template of one backend can stall the reading of another', () => {
    const hostile = backend('hostile', [], [`x://${'{a}'.repeat(30)}!`, `x://${'{+a}a'.repeat(30)}!`]);
    const index = createResourceIndex(() => [hostile, backend('good', ['x://good'])]);
    expect(cpuTime(() => routesOf(index, `x://${'a'.repeat(5000)}`)).ms).toBeLessThan(500);
  });
});

test('a URI that a result linked to leads to the backend of the result', () => {
  const [a, b] = [backend('a'), backend('b')] as [Backend, Backend];
  let backends = [a, b];
  const index = createResourceIndex(() => backends);
  index.remember(b, ['x://unlisted']);
  expect(routesOf(index, 'x://unlisted')).toEqual(['b x://unlisted']);
  backends = [a];
  expect(routesOf(index, 'x://unlisted')).toEqual(['a x://unlisted']);
});

test('only the latest links are remembered', () => {
  const [a, b] = [backend('a'), backend('b')] as [Backend, Backend];
  const index = createResourceIndex(() => [a, b]);
  index.remember(b, ['x://old', 'x://kept']);
  index.remember(b, ['x://kept', ...Array.from({ length: 9_999 }, (_, i) => `x://${i}`)]);
  expect(routesOf(index, 'x://kept')).toEqual(['b x://kept']);
  expect(routesOf(index, 'x://old')).toHaveLength(2);
});

test('an unlisted URI is tried at every backend that has resources', () => {
  const without = {
    name: 'tools-only',
    catalogue: { capabilities: { tools: {} }, resources: [], templates: [] },
  } as unknown as Backend;
  const down = { name: 'down' } as unknown as Backend;
  expect(
    routesOf(
      createResourceIndex(() => [without, down, backend('a')]),
      'x://?',
    ),
  ).toEqual(['a x://?']);
});

test('a URI of ours is asked of no backend, whatever backends list, claim or link to', () => {
  const resources = { owns: (uri: string) => uri.startsWith('memory://') } as OwnResources;
  const owner = backend('a', ['memory://1', 'x://1'], ['memory://{id}', '{+any}']);
  const index = createResourceIndex(
    () => [owner],
    () => [{ resources } as ToolSource],
  );
  index.remember(owner, ['memory://2']);
  expect(index.own('memory://2')).toBe(resources);
  expect(index.own('x://1')).toBeUndefined();
  for (const uri of ['memory://1', 'memory://2', 'memory://3']) expect(routesOf(index, uri)).toEqual([]);
  expect(routesOf(index, 'a+memory://1')).toEqual(['a memory://1']);
  expect(index.resources().map(({ item }) => item.uri)).toEqual(['a+memory://1', 'x://1']);
  expect(index.templates().map(({ item }) => item.uriTemplate)).toEqual(['a+memory://{id}', '{+any}']);
  expect(index.exposed(owner, 'memory://9')).toBe('a+memory://9');
});
