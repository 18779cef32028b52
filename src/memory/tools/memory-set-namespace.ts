import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { type Belonging, type Caller, spoken } from '../namespaces/belonging.ts';
import { memoryTool } from '../tool.ts';

export const memorySetNamespace = memoryTool({
  name: 'memory_set_namespace',
  title: 'Set up a namespace',
  description: 'Creates a namespace, or hands it over: to you, a project, everybody, or the owner of this Sluice.',
  phrases:
    'create a namespace; new namespace for a project; share memories with everybody; share memories with my project; make a namespace private; hand over a namespace; change the owner of a namespace; let my team use my memories; give a namespace to',
  effect: 'update',
  input: z.strictObject({
    name: z.string().min(1).max(100).describe('Of the namespace'),
    belongs_to: z.string().max(200).optional().describe('me, everybody, owner, or project:NAME (me)'),
  }),
  output: z.object({ name: z.string(), belongs_to: z.string() }),
  async run({ name, belongs_to: given }, { open }, { principal }) {
    const { memory, namespaces } = await open();
    memory.refuseSecrets({ name, belongs_to: given });
    const belongsTo = given === undefined ? undefined : belongingOf(given, namespaces.whoIs(principal));
    const made = await namespaces.give(name, belongsTo, principal);
    return { name: made.name, belongs_to: spoken(made.belongsTo) };
  },
});

function belongingOf(given: string, caller: Caller): Belonging {
  const project = /^project:(.+)$/.exec(given)?.[1];
  if (project !== undefined) return { to: 'project', project };
  if (given === 'everybody') return { to: 'everybody' };
  if (given === 'owner' || (given === 'me' && caller.kind === 'owner')) return { to: 'owner' };
  if (given === 'me') return { to: 'principal', id: caller.id };
  throw new AppError('invalid_input', `belongs_to is me, everybody, owner, or project:NAME, not ${given}.`);
}
