import { expect, test } from 'vitest';
import type { Node } from '../../n8n/client/shapes.ts';
import type { Found } from '../discover.ts';
import { openNames, toolNamer } from './endpoint-names.ts';

const tool = (id: string, name: string) => ({
  node: { id, name, type: '@n8n/n8n-nodes-langchain.toolCalculator' } as Node,
});

test('the plan shows tools that want the same name under the names they will get', async () => {
  const tools = [tool('1', '计算器'), tool('2', 'Calculator'), tool('3', '计算机')];
  const found = { id: 'w', name: 'Sums', aiTools: tools } as unknown as Found;
  const planned = tools.map(({ node }) => toolNamer('default', found)(node));
  const names = await openNames({ get: async () => undefined, put: async () => {} } as never);
  await names.assign('default', [found], [found], []);
  expect(tools.map(({ node }) => names.tool('default', 'w', node.id as string))).toEqual(planned);
  expect(new Set(planned).size).toBe(3);
  expect(planned[1]).toBe('Calculator');
});
