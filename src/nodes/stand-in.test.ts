import { expect, test } from 'vitest';
import { z } from 'zod';
import { callTool } from '../kernel/call.ts';
import type { CallContext } from '../kernel/source.ts';
import { Written } from '../kernel/tool.ts';
import type { Catalogue } from './catalogue.ts';
import { withNote } from './stand-in.ts';
import { type NodesDeps, nodesTool } from './tool.ts';

const catalogue = { origin: { n8n: '1.0.0' } } as Partial<Catalogue> as Catalogue;
const about = { name: 'x', title: 'X', description: 'x', effect: 'read', scope: 'nodes:read' } as const;

const told = (name: string, answer: (of: Catalogue) => Record<string, unknown> | Written) =>
  withNote(
    nodesTool({
      ...about,
      name,
      input: z.strictObject({}),
      output: z.looseObject({}),
      run: async (_, { catalogues }) => answer(catalogues.get()),
    }),
  );

async function call(tool: ReturnType<typeof told>, note?: string): Promise<{ data: unknown; text: unknown }> {
  const catalogues: NodesDeps['catalogues'] = {
    state: () => ({ state: 'missing' }),
    get: () => {
      throw new Error('There is none.');
    },
    ready: () => Promise.reject(new Error('There is none.')),
    nearest: async () => ({ catalogue, ...(note !== undefined && { note }) }),
  };
  const context = { signal: new AbortController().signal } as Partial<CallContext> as CallContext;
  const outcome = await callTool(tool, { catalogues })({ name: tool.name, arguments: {} }, context);
  if ('error' in outcome) throw new Error(outcome.error.message);
  const { content, structuredContent } = JSON.parse(JSON.stringify(outcome.result)) as {
    content: { text: string }[];
    structuredContent: unknown;
  };
  return { data: structuredContent, text: JSON.parse(content[0]?.text ?? '') };
}

const note = 'About "another" n8n.';

test('an answer from the catalogue of another n8n has a note', async () => {
  const tool = told('search_nodes', ({ origin }) => ({ n8n: origin.n8n }));
  expect((await call(tool, note)).data).toEqual({ n8n: '1.0.0', note });
  expect((await call(tool)).data).toEqual({ n8n: '1.0.0' });
});

test('an answer that is already serialized gets the note in both forms', async () => {
  const tool = told('get_node_details', () => new Written('{"nodes":["\\"}"]}'));
  const answer = await call(tool, note);
  expect(answer.data).toEqual({ nodes: ['"}'], note });
  expect(answer.text).toEqual(answer.data);
});

test('get_node_types gets the note as a list, like all its values', async () => {
  const tool = told('get_node_types', () => ({ FLOW: ['IF'] }));
  expect((await call(tool, note)).data).toEqual({ FLOW: ['IF'], note: [note] });
});
