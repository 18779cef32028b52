import { z } from 'zod';
import type { Vault } from '../connection.ts';
import { noVersions, type Place, readSecret, requestPath } from '../kv.ts';
import { namedVersions, readMetadata } from '../metadata.ts';
import { pathInput, secretAt, vaultTool, versionsInput } from '../tool.ts';

export const deleteSecret = vaultTool({
  name: 'vault_delete_secret',
  title: 'Delete secret',
  description:
    'Deletes versions of a secret, by default the current one. vault_undelete_secret brings them back; in KV version 1 it is for good.',
  phrases: 'delete a secret; remove the password from vault; delete version 3 of the secret',
  effect: 'delete',
  input: z.strictObject({ path: pathInput, versions: versionsInput.optional().describe('Default the current one') }),
  output: z.object({ path: z.string(), versions: z.array(z.int()).optional(), for_good: z.boolean().optional() }),
  async preview({ path, versions }, vault, { signal }) {
    const place = await secretAt(vault, path, signal);
    if (place.mount.version === 1) {
      await needVersionOne(vault, place, versions, signal);
      return `This deletes the secret ${place.path} for good: ${place.mount.path}/ keeps no versions.`;
    }
    const chosen = await chosenVersions(vault, place, versions, signal);
    return `This deletes version ${chosen.join(', ')} of the secret ${place.path}. vault_undelete_secret can bring it back.`;
  },
  async run({ path, versions }, vault, { signal }) {
    const place = await secretAt(vault, path, signal);
    if (place.mount.version === 1) {
      await needVersionOne(vault, place, versions, signal);
      await vault.ask(z.unknown(), requestPath(place, 'data'), { method: 'DELETE', signal });
      return { path: place.path, for_good: true };
    }
    const chosen = await chosenVersions(vault, place, versions, signal);
    const body = { versions: chosen };
    await vault.ask(z.unknown(), requestPath(place, 'delete'), { method: 'POST', body, signal });
    return { path: place.path, versions: chosen };
  },
});

async function needVersionOne(
  vault: Vault,
  place: Place,
  versions: readonly number[] | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (versions) throw noVersions(place);
  await readSecret(vault, place, { signal });
}

/** Vault also answers with success to versions that there are not. */
async function chosenVersions(
  vault: Vault,
  place: Place,
  versions: readonly number[] | undefined,
  signal: AbortSignal,
): Promise<number[]> {
  const metadata = await readMetadata(vault, place, signal);
  return namedVersions(place, metadata, versions).map(({ version }) => version);
}
