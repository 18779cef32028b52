import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { readMounts } from '../mounts.ts';
import { paged } from '../../paged.ts';
import { cursorInput, cursorOutput, vaultTool } from '../tool.ts';

export const listMounts = vaultTool({
  name: 'vault_list_mounts',
  title: 'List secrets engines',
  description: 'Lists the secrets engines that the token may use, with their type and KV version.',
  phrases: 'which secrets engines are there; list vault mounts; where are secrets kept; is it kv version 1 or 2',
  effect: 'read',
  input: z.strictObject({ cursor: cursorInput }),
  output: z.object({
    mounts: z.array(
      z.object({
        path: z.string(),
        type: z.string(),
        kv_version: z.int().optional(),
        description: z.string().optional(),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ cursor }, vault, { signal }) {
    const mounts = (await readMounts(vault, signal)).map(({ path, type, version, description }) => ({
      path: shortened(`${path}/`, 300),
      type,
      ...(version !== undefined && { kv_version: version }),
      ...(description !== '' && { description: shortened(description, 200) }),
    }));
    const { page, next } = paged(mounts, (one) => one, { list: 'vault_list_mounts', asked: {}, cursor });
    return { mounts: page, ...next };
  },
});
