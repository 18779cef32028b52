import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { namesIn } from '../folders.ts';
import { paged } from '../../paged.ts';
import { cursorInput, cursorOutput, folderAt, pathInput, vaultTool } from '../tool.ts';

export const listSecrets = vaultTool({
  name: 'vault_list_secrets',
  title: 'List secrets',
  description: 'Lists the secrets and folders at a path, by name. Folders end with a slash.',
  phrases: 'which secrets are there; list secrets; what is in this folder of vault; show the keys under secret/app',
  effect: 'read',
  input: z.strictObject({ path: pathInput.describe('Engine or folder, e.g. secret/app'), cursor: cursorInput }),
  output: z.object({
    path: z.string(),
    total: z.int(),
    items: z.array(z.string()),
    note: z.string().optional(),
    cursor: cursorOutput,
  }),
  async run({ path: given, cursor }, vault, { signal }) {
    const folder = await folderAt(vault, given, signal);
    const names = await namesIn(vault, folder, signal);
    const about = { path: shortened(folder.path, 300), total: names.length };
    const items = names.map((name) => shortened(name, 500));
    const { page, next } = paged(items, (one) => one, {
      list: 'vault_list_secrets',
      asked: { path: folder.path },
      cursor,
      besides: about,
    });
    const note = `There is nothing below ${about.path}. If it is a secret, vault_read_secret shows it.`;
    return { ...about, items: page, ...(names.length === 0 && { note }), ...next };
  },
});
