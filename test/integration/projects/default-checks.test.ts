import { expect, test } from 'vitest';
import { parts } from '../../../src/parts.ts';
import type { AnyPart } from '../../../src/host/part.ts';
import { defaultChecks } from '../../../src/projects/checks/default-checks.ts';
import type { Item } from '../../../src/projects/project.ts';

const tools = new Map(
  (await Promise.all(Object.values<AnyPart>(parts).map(async ({ tools: list }) => (await list?.()) ?? [])))
    .flat()
    .map((tool) => [tool.name, tool]),
);

const item = (kind: string, name: string, more: Partial<Item> = {}) =>
  ({ id: 1, kind, name, addedAt: '', addedBy: '', ...more }) as Item;

test.each([
  item('workflow', 'aB3xY9kLmN0pQrSt'),
  item('workflow', 'Send invoices', { instance: 'default' }),
  item('repository', 'acme/shop'),
  item('container', 'shop-web'),
  item('database', 'public'),
  item('queue', 'orders'),
  item('memory', 'team'),
  item('server', 'ref'),
])('the tool that checks $kind $name exists, only reads, and takes these arguments', (one) => {
  const check = defaultChecks.get(one.kind);
  const tool = tools.get(check?.tool(one) ?? '');
  expect(tool).toMatchObject({ effect: 'read' });
  expect(tool?.input.safeParse(check?.arguments(one))).toMatchObject({ success: true });
  const other = check?.otherwise?.(one);
  if (other) expect(tools.get(other.tool)?.input.safeParse(other.arguments)).toMatchObject({ success: true });
});

test('every kind with a check is tried here, but blueprints, which come with a part of their own', () => {
  const names = [...defaultChecks.values()].map((check) => check.tool(item(check.kind, 'x')));
  expect(names.filter((name) => !tools.has(name))).toEqual(tools.has('blueprint_history') ? [] : ['blueprint_history']);
  expect(tools.get('n8n_list_executions')?.input.safeParse({ workflow: 'x', limit: 1 })).toMatchObject({
    success: true,
  });
});
