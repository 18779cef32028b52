import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { vaultTool } from '../tool.ts';

const names = z.array(z.string()).nullish();

/** The token and its accessor, with which it can be revoked, are left out here, so nothing after this has them. */
const answer = z.object({
  data: z.object({
    display_name: z.string().optional(),
    policies: names,
    identity_policies: names,
    ttl: z.number(),
    expire_time: z.string().nullish(),
    renewable: z.boolean().optional(),
    type: z.string().optional(),
    path: z.string().optional(),
    num_uses: z.number().optional(),
    namespace_path: z.string().optional(),
  }),
});

export const getTokenInfo = vaultTool({
  name: 'vault_get_token_info',
  title: 'Get token info',
  description:
    "Shows what Sluice's token is: policies, how long it is valid, whether it can be renewed. Never the token itself.",
  phrases:
    'which policies does sluice have in vault; when does the vault token expire; is the token renewable; who am i in vault',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    name: z.string().optional(),
    policies: z.array(z.string()),
    expires: z.string().describe('A time, or never'),
    ttl_seconds: z.number().optional(),
    renewable: z.boolean(),
    type: z.string().optional(),
    login: z.string().optional().describe('Path that issued it'),
    uses_left: z.number().optional(),
    namespace: z.string().optional(),
    warning: z.string().optional(),
  }),
  async run(_, vault, { signal }) {
    const { data } = await vault.ask(answer, ['auth', 'token', 'lookup-self'], { signal });
    const policies = [...new Set([...(data.policies ?? []), ...(data.identity_policies ?? [])])];
    return {
      ...(data.display_name !== undefined && { name: shortened(data.display_name, 100) }),
      policies: policies.slice(0, 30).map((policy) => shortened(policy, 60)),
      expires: data.expire_time ?? 'never',
      ...(data.ttl > 0 && { ttl_seconds: data.ttl }),
      renewable: data.renewable ?? false,
      ...(data.type !== undefined && { type: data.type }),
      ...(data.path !== undefined && { login: shortened(data.path, 200) }),
      ...(data.num_uses !== undefined && data.num_uses > 0 && { uses_left: data.num_uses }),
      ...(data.namespace_path && { namespace: shortened(data.namespace_path, 200) }),
      ...(policies.includes('root') && {
        warning:
          'This is a root token: it may do everything and does not expire. Use a token with a policy of its own.',
      }),
    };
  },
});
