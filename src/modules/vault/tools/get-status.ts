import { z } from 'zod';
import { readHealth, readSeal, type State, stateOf, states } from '../status.ts';
import { vaultTool } from '../tool.ts';

export const getStatus = vaultTool({
  name: 'vault_get_status',
  title: 'Get status',
  description: 'Shows whether Vault works: sealed, standby, version, progress of unsealing. Needs no rights.',
  phrases: 'is vault up; is vault sealed; health of vault; which version of vault; is this node active or standby',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    state: z.enum(Object.keys(states) as [State, ...State[]]),
    explanation: z.string(),
    version: z.string().optional(),
    cluster: z.string().optional(),
    seal: z.string().optional().describe('Type of the seal'),
    unseal_progress: z.string().optional(),
  }),
  async run(_, vault, { signal }) {
    const told = await readHealth(vault, signal);
    const { type, t, n, progress } = await readSeal(vault, signal);
    const state = stateOf(told);
    return {
      state,
      explanation: states[state],
      ...(told.version !== undefined && { version: told.version }),
      ...(told.cluster_name !== undefined && { cluster: told.cluster_name }),
      ...(type !== undefined && { seal: type }),
      ...(state === 'sealed' &&
        t !== undefined && { unseal_progress: `${progress ?? 0} of ${t} keys given, of ${n ?? t}` }),
    };
  },
});
