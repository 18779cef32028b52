import { z } from 'zod';
import { blueprintTool, findingView } from '../tool.ts';

export const save = blueprintTool({
  name: 'blueprint_save',
  title: 'Save a blueprint',
  description:
    'Saves a blueprint, given as YAML, in the store. It replaces one that you saved before under the same name; an admin replaces any. Files and shipped blueprints cannot be replaced. Runs keep the definition they began with.',
  effect: 'update',
  phrases:
    'save a blueprint; store a blueprint; create a blueprint; write a blueprint definition; change a blueprint; add a new blueprint',
  recorded: [],
  input: z.strictObject({
    text: z
      .string()
      .min(1)
      .max(256 * 1024)
      .describe('The definition in YAML: name, description, inputs, steps, outputs'),
  }),
  output: z.object({ name: z.string(), findings: z.array(findingView).optional() }),
  examples: [
    {
      title: 'One step',
      arguments: { text: 'name: hello\nsteps:\n  - { id: look, tool: gateway_status, arguments: {} }\n' },
    },
  ],
  async run({ text }, deps, { principal }) {
    const { definitions, events } = await deps.open();
    const known = await definitions.save(text, principal, 'blueprint');
    events.record({ type: 'blueprint.saved', blueprint: known.name, kind: known.kind, principal: principal.id });
    const findings = await definitions.findingsOf(known);
    return { name: known.name, ...(findings.length > 0 && { findings: findings.slice(0, 10) }) };
  },
});
