import { expect, it } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { type Call, openRemote } from './remote.ts';

const workflow = (id: string, archived = false) => ({
  id,
  name: id,
  active: false,
  nodes: 0,
  ...(archived && { archived }),
});

/** n8n's list has only `a`. By id, n8n has more. */
function calls(byId: Record<string, () => object>): { call: Call; asked: string[] } {
  const asked: string[] = [];
  const call = (async (tool: string, args: { id?: string }) => {
    if (tool === 'n8n_list_workflows') return { workflows: [workflow('a')] };
    if (tool === 'n8n_list_credentials') return { credentials: [] };
    asked.push(args.id ?? '');
    const found = byId[args.id ?? ''];
    if (!found) throw new AppError('invalid_input', `No workflow ${args.id}.`);
    return { workflow: found() };
  }) as unknown as Call;
  return { call, asked };
}

it('asks for known workflows that the list misses: somebody may have deleted another one while it was read', async () => {
  const { call, asked } = calls({ missed: () => workflow('missed'), archived: () => workflow('archived', true) });
  const { workflows } = await openRemote(call, 'lab', ['a', 'missed', 'archived', 'deleted']);
  expect([...workflows.keys()]).toEqual(['a', 'missed']);
  expect(asked).toEqual(['missed', 'archived', 'deleted']);
});

it('does not take a workflow for deleted if n8n is away', async () => {
  const away = () => {
    throw new AppError('unavailable', 'n8n is away.');
  };
  await expect(openRemote(calls({ b: away }).call, 'lab', ['a', 'b'])).rejects.toThrow('n8n is away');
});

it('asks nothing of an n8n that has none of them', async () => {
  const { call, asked } = calls({});
  await openRemote(call, 'lab', ['b', 'c']);
  expect(asked).toEqual([]);
});
