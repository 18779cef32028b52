import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { requestPath } from '../kv.ts';
import { readMetadata } from '../metadata.ts';
import { pathInput, vaultTool, versionedAt } from '../tool.ts';
import { metadataOutput, shownAbout } from './list-versions.ts';

export const setMetadata = vaultTool({
  name: 'vault_set_metadata',
  title: 'Set metadata',
  description:
    'Changes the metadata of a secret: custom metadata, how many versions are kept, whether writes need cas. KV version 2 only.',
  phrases:
    'label a secret; set the owner of the secret; keep only five versions; require check-and-set; expire versions of the secret',
  effect: 'update',
  input: z.strictObject({
    path: pathInput,
    custom_metadata: z
      .record(z.string().min(1).max(128), z.union([z.string().min(1).max(512), z.null()]))
      .optional()
      .describe('Texts by name; null removes one, others stay. Not secret'),
    max_versions: z.int().min(0).max(1000).optional().describe('0: as the engine says'),
    cas_required: z.boolean().optional().describe('Every write has to name the version that it replaces'),
    delete_version_after: z
      .string()
      .regex(/^(?:\d+(?:\.\d+)?(?:h|m|s))+$/, 'must be a duration such as 720h or 1h30m; 0s for never')
      .optional()
      .describe('Life of new versions, e.g. 720h'),
  }),
  output: z.object(metadataOutput),
  async run({ path, custom_metadata: given, ...settings }, vault, { signal }) {
    if (given === undefined && Object.values(settings).every((value) => value === undefined))
      throw new AppError(
        'invalid_input',
        'Nothing to change: pass custom_metadata, max_versions, cas_required or delete_version_after.',
      );
    const place = await versionedAt(vault, path, signal);
    const before = await readMetadata(vault, place, signal);
    // Vault replaces all of it.
    const custom = new Map(Object.entries(before.custom_metadata ?? {}));
    for (const [name, value] of Object.entries(given ?? {}))
      if (value === null) custom.delete(name);
      else custom.set(name, value);
    const body = { ...settings, ...(given && { custom_metadata: Object.fromEntries(custom) }) };
    await vault.ask(z.unknown(), requestPath(place, 'metadata'), { method: 'POST', body, signal });
    return shownAbout(place.path, await readMetadata(vault, place, signal));
  },
});
