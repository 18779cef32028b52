import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Suggestion } from '../connections/suggestion.ts';
import { instanceInput, name, nodesTool, thing } from '../tool.ts';

/** Candidates per port: tried in this order until the reply is short enough. */
const BREADTHS = [5, 4, 3, 2, 1];

export const suggestConnections = nodesTool({
  name: 'suggest_connections',
  title: 'Suggest connections',
  description:
    'Suggests what to connect to a node as it is configured: what follows each output, what comes before, what an AI node still needs (a model, embeddings) or can take. For a model, memory or tool: where it fits. With an example whose connections n8n accepts unchanged.',
  effect: 'read',
  phrases:
    'what can i connect to this node; which node comes next; what comes after this node; what goes before a node; what does an ai agent need attached; which model or memory fits an agent; how do i wire nodes together; outputs and inputs that fit; what to plug into a port; how to attach a tool to an agent; which nodes fit behind this one; what is allowed to follow a node; how to connect an agent with a model and memory; what do i attach to a vector store; next step after a trigger; which sub nodes are missing; where does the true or false output go; how do i link these two nodes; agent says no model is connected; which chat model fits my agent; possible followers of a node; what may come behind an if; what does this node connect to; which port takes the memory; legal neighbours of a node; what is missing on my ai node; attach a retriever; what would you put after a trigger; what kind of memory can this agent take; what fits before this node; which nodes can be plugged together; how do i chain these; sensible next nodes; which sub-node does it need; after the webhook, what next; compatible nodes',
  tags: ['nodes', 'connections'],
  guidance:
    'Give "parameters" as you have set them: inputs and outputs depend on them (the mode of a vector store, the rules of a Switch). Attach everything in "needs": n8n publishes the node without it, but the node then fails when it runs.',
  input: z.strictObject({
    node: name.describe('n8n-nodes-base.if, if, or TYPE.SUBTYPE'),
    subtype: name.optional().describe('If "node" is only a type'),
    parameters: z.record(z.string(), z.unknown()).optional().describe('The ones already set'),
    version: z.number().optional().describe('typeVersion; default: latest'),
    port: name.optional().describe('Only ports of this kind (main, ai_tool), with more candidates'),
    limit: z.int().min(1).max(100).optional().describe('Candidates per port'),
    instance: instanceInput,
  }),
  output: z.looseObject({
    node: thing.describe('name, title, type, subtype, version'),
    needs: z.array(z.string()).describe('Kinds to attach before it can run'),
    inputs: z
      .array(thing)
      .describe(
        'kind (main, ai_tool, …), index within its kind, most (connections), candidates (node, title, why, parameters to set), more (see "port")',
      ),
    outputs: z.array(thing),
    example: thing.optional().describe('nodes, connections'),
    notes: z.array(z.string()),
    warning: z.string().optional(),
  }),
  examples: [
    { title: 'What an agent still needs', arguments: { node: '@n8n/n8n-nodes-langchain.agent' } },
    {
      title: 'A vector store that is being filled',
      arguments: { node: 'vectorStoreInMemory', parameters: { mode: 'insert' } },
    },
    { title: 'Every tool an agent may get', arguments: { node: 'agent', port: 'ai_tool', limit: 20 } },
  ],
  async run({ node: named, subtype, parameters = {}, version, port, limit, instance }, { catalogues }) {
    const catalogue = catalogues.get(instance);
    const [{ nodeMeant }, { suggestConnections: suggest }] = await Promise.all([
      import('../lookup/node-meant.ts'),
      import('../connections/suggest.ts'),
    ]);
    const meant = nodeMeant(catalogue, subtype === undefined ? named : `${named}.${subtype}`, version);
    const { name, title, type, subtype: own } = meant.node;
    const head = {
      node: { name, title, type, subtype: own, version: meant.version },
      ...(meant.warning !== undefined && { warning: meant.warning }),
    };
    const asked = { ...meant, parameters };
    const breadths = limit === undefined ? (port === undefined ? BREADTHS : [30, 20, 15, 10, 5]) : [limit];
    let suggestion = suggest(catalogue, asked, {
      most: breadths[0] as number,
      ...(port !== undefined && { kind: port }),
    });
    for (const most of breadths.slice(1)) {
      if (fittingItems([suggestion, {}], head) === 2) break;
      suggestion = suggest(catalogue, asked, { most, ...(port !== undefined && { kind: port }) });
    }
    if (port !== undefined && suggestion.inputs.length + suggestion.outputs.length === 0) {
      const all = suggest(catalogue, asked, { most: 1 });
      const kinds = [...new Set([...all.inputs, ...all.outputs].map(({ kind }) => kind))];
      throw new AppError(
        'invalid_input',
        `${name} has no port ${port} in this configuration. It has ${kinds.join(', ') || 'no ports'}.`,
      );
    }
    return { ...head, ...fitting(suggestion, head, limit === undefined) };
  },
});

/** A Switch may have hundreds of outputs; the first ones are enough. */
const MOST_PORTS = 40;

function fitting(suggestion: Suggestion, head: object, isShort: boolean): Suggestion {
  let out = suggestion;
  for (const side of ['outputs', 'inputs'] as const) {
    const all = out[side];
    const besides = { ...head, ...out, [side]: [], notes: [...out.notes, 'x'.repeat(100)] };
    const fits = isShort && fittingItems([out, {}], head) < 2 ? fittingItems(all, besides) : all.length;
    const kept = all.slice(0, Math.min(fits, MOST_PORTS));
    if (kept.length === all.length) continue;
    const note = `It has ${all.length} ${side}; the first ${kept.length} are shown.`;
    out = { ...out, [side]: kept, notes: [...out.notes, note] };
  }
  return out;
}
