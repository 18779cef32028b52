import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { type Metadata, readMetadata, versionsIn } from '../metadata.ts';
import { paged } from '../../paged.ts';
import { shownMetadata } from '../shown-metadata.ts';
import { cursorInput, cursorOutput, pathInput, vaultTool, versionedAt } from '../tool.ts';

export const metadataOutput = {
  path: z.string(),
  current_version: z.int(),
  max_versions: z.int().optional().describe('0: as the engine says'),
  cas_required: z.boolean().optional(),
  delete_version_after: z.string().optional(),
  updated: z.string().optional(),
  custom_metadata: z.record(z.string(), z.string()).optional(),
};

export function shownAbout(path: string, metadata: Metadata): z.input<z.ZodObject<typeof metadataOutput>> {
  const { current_version, max_versions, cas_required, delete_version_after: after, updated_time } = metadata;
  return {
    path: shortened(path, 300),
    current_version,
    ...(max_versions !== undefined && { max_versions }),
    ...(cas_required !== undefined && { cas_required }),
    ...(after !== undefined && after !== '0s' && { delete_version_after: after }),
    ...(updated_time !== undefined && { updated: updated_time }),
    ...(metadata.custom_metadata && { custom_metadata: shownMetadata(metadata.custom_metadata) }),
  };
}

export const listVersions = vaultTool({
  name: 'vault_list_versions',
  title: 'List versions',
  description: 'Lists the versions of a secret, newest first, and its metadata. KV version 2 only.',
  phrases:
    'which versions of the secret exist; when was the password changed; history of the secret; metadata of the secret',
  effect: 'read',
  input: z.strictObject({ path: pathInput, cursor: cursorInput }),
  output: z.object({
    ...metadataOutput,
    versions: z.array(
      z.object({
        version: z.int(),
        state: z.enum(['current', 'kept', 'deleted', 'destroyed']),
        created: z.string().optional(),
        deletion: z.string().optional().describe('When it was or will be deleted'),
      }),
    ),
    cursor: cursorOutput,
  }),
  async run({ path, cursor }, vault, { signal }) {
    const place = await versionedAt(vault, path, signal);
    const metadata = await readMetadata(vault, place, signal);
    const about = shownAbout(place.path, metadata);
    const versions = versionsIn(metadata).map(({ version, state, created, deletion }) => ({
      version,
      state,
      ...(created !== undefined && { created }),
      ...(deletion !== undefined && { deletion }),
    }));
    const asked = { path: place.path };
    const { page, next } = paged(versions, (one) => one, {
      list: 'vault_list_versions',
      asked,
      cursor,
      besides: about,
    });
    return { ...about, versions: page, ...next };
  },
});
