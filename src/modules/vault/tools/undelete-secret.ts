import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { requestPath } from '../kv.ts';
import { namedVersions, readMetadata } from '../metadata.ts';
import { pathInput, vaultTool, versionedAt, versionsInput } from '../tool.ts';

export const undeleteSecret = vaultTool({
  name: 'vault_undelete_secret',
  title: 'Undelete secret',
  description: 'Brings deleted versions of a secret back, by default the current one. KV version 2 only.',
  phrases: 'restore a deleted secret; undo the deletion; bring the secret back; undelete',
  effect: 'update',
  input: z.strictObject({ path: pathInput, versions: versionsInput.optional().describe('Default the current one') }),
  output: z.object({ path: z.string(), versions: z.array(z.int()) }),
  async run({ path, versions }, vault, { signal }) {
    const place = await versionedAt(vault, path, signal);
    const chosen = namedVersions(place, await readMetadata(vault, place, signal), versions);
    const lost = chosen.find(({ state }) => state === 'destroyed');
    if (lost)
      throw new AppError(
        'conflict',
        `Version ${lost.version} of ${place.path} was destroyed and cannot come back. Nothing was changed. vault_list_versions shows what is left.`,
      );
    const body = { versions: chosen.map(({ version }) => version) };
    await vault.ask(z.unknown(), requestPath(place, 'undelete'), { method: 'POST', body, signal });
    return { path: place.path, ...body };
  },
});
