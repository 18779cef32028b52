import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Vault } from '../connection.ts';
import { type Place, requestPath } from '../kv.ts';
import { namedVersions, readMetadata, versionsIn } from '../metadata.ts';
import { pathInput, vaultTool, versionedAt, versionsInput } from '../tool.ts';

export const destroyVersions = vaultTool({
  name: 'vault_destroy_versions',
  title: 'Destroy versions',
  description:
    'Destroys versions of a secret for good, or with all: true the whole secret with its metadata. KV version 2 only.',
  phrases: 'destroy a version of the secret; erase the secret completely; remove all versions; purge the old password',
  effect: 'delete',
  input: z.strictObject({
    path: pathInput,
    versions: versionsInput.optional().describe('Numbers of versions'),
    all: z.boolean().default(false).describe('Every version, the metadata and the name'),
  }),
  output: z.object({ path: z.string(), versions: z.array(z.int()), all: z.boolean().optional() }),
  async preview({ path, versions, all }, vault, { signal }) {
    const { place, chosen } = await chosenFor(vault, { path, versions, all }, signal);
    const numbers = chosen.slice(0, 30).join(', ');
    return all
      ? `This destroys the secret ${place.path} for good, with ${chosen.length} versions (${numbers}) and its metadata.`
      : `This destroys version ${numbers} of the secret ${place.path} for good. It cannot be brought back.`;
  },
  async run({ path, versions, all }, vault, { signal }) {
    const { place, chosen } = await chosenFor(vault, { path, versions, all }, signal);
    if (all) await vault.ask(z.unknown(), requestPath(place, 'metadata'), { method: 'DELETE', signal });
    else {
      const body = { versions: chosen };
      await vault.ask(z.unknown(), requestPath(place, 'destroy'), { method: 'POST', body, signal });
    }
    return { path: place.path, versions: chosen.slice(0, 100), ...(all && { all }) };
  },
});

interface Wanted {
  readonly path: string;
  readonly versions: readonly number[] | undefined;
  readonly all: boolean;
}

async function chosenFor(
  vault: Vault,
  { path, versions, all }: Wanted,
  signal: AbortSignal,
): Promise<{ place: Place; chosen: number[] }> {
  if (all === (versions !== undefined))
    throw new AppError('invalid_input', 'Pass either versions, such as [1, 2], or all: true.');
  const place = await versionedAt(vault, path, signal);
  const metadata = await readMetadata(vault, place, signal);
  const chosen = all ? versionsIn(metadata) : namedVersions(place, metadata, versions);
  return { place, chosen: chosen.map(({ version }) => version) };
}
