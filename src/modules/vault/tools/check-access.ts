import { z } from 'zod';
import { requestPath } from '../kv.ts';
import { pathInput, secretAt, vaultTool } from '../tool.ts';

const answer = z.object({ data: z.record(z.string(), z.unknown()) });
const capabilities = z.array(z.string());

/** What each part of the API for a secret is for. */
const uses = {
  data: 'values',
  metadata: 'names, versions and metadata',
  subkeys: 'names of keys without values',
  delete: 'deleting versions',
  undelete: 'bringing versions back',
  destroy: 'destroying versions',
} as const;

export const checkAccess = vaultTool({
  name: 'vault_check_access',
  title: 'Check access',
  description: "Shows what Sluice's token may do with a secret, by its policies, for each path of the API.",
  phrases:
    'may i read this secret; why is access denied; which capabilities does the token have; permission denied in vault',
  effect: 'read',
  input: z.strictObject({ path: pathInput }),
  output: z.object({
    path: z.string(),
    access: z.array(
      z.object({
        path: z.string().describe('As policies name it'),
        for: z.string(),
        capabilities: z.array(z.string()),
      }),
    ),
  }),
  async run({ path: given }, vault, { signal }) {
    const place = await secretAt(vault, given, signal);
    const parts = place.mount.version === 2 ? Object.entries(uses) : [['', 'the secret'] as const];
    const asked = parts.map(([what, use]) => ({ path: requestPath(place, what).join('/'), for: use }));
    const body = { paths: asked.map(({ path }) => path) };
    const { data } = await vault.ask(answer, ['sys', 'capabilities-self'], { method: 'POST', body, signal });
    const found = new Map(Object.entries(data));
    return {
      path: place.path,
      access: asked.map((one) => ({ ...one, capabilities: capabilities.safeParse(found.get(one.path)).data ?? [] })),
    };
  },
});
