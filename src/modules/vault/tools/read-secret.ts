import { z } from 'zod';
import { shortened } from '../../shown.ts';
import type { Vault } from '../connection.ts';
import { codeOf, type Place, readSecret, requestPath, type Secret } from '../kv.ts';
import { paged } from '../../paged.ts';
import { shownMetadata } from '../shown-metadata.ts';
import { cursorInput, cursorOutput, pathInput, secretAt, vaultTool, versionInput } from '../tool.ts';
import { maskedKeys } from '../values.ts';

export const readSecretTool = vaultTool({
  name: 'vault_read_secret',
  title: 'Read secret, masked',
  description:
    'Shows the keys of a secret with their types, its version and custom metadata. Values are masked; vault_reveal_secret shows them.',
  phrases:
    'what does this secret contain; which keys has the secret; is the password set; look at a secret without its values; what version is the secret',
  effect: 'read',
  input: z.strictObject({ path: pathInput, version: versionInput, cursor: cursorInput }),
  output: z.object({
    path: z.string(),
    version: z.int().optional(),
    created: z.string().optional(),
    custom_metadata: z.record(z.string(), z.string()).optional(),
    keys: z.array(z.object({ key: z.string(), type: z.string() })),
    cursor: cursorOutput,
  }),
  async run({ path, version, cursor }, vault, { signal }) {
    const place = await secretAt(vault, path, signal);
    const secret = await readOrOutline(vault, place, { version, signal });
    const about = {
      path: shortened(place.path, 300),
      ...(secret.version !== undefined && { version: secret.version }),
      ...(secret.created !== undefined && { created: secret.created }),
      ...(secret.customMetadata && { custom_metadata: shownMetadata(secret.customMetadata) }),
    };
    const keys = maskedKeys(secret.data).map(({ key, type }) => ({
      key: shortened(key, 200),
      type: secret.isOutline ? 'not readable' : type,
    }));
    const asked = { path: place.path, version };
    const { page, next } = paged(keys, (one) => one, { list: 'vault_read_secret', asked, cursor, besides: about });
    return { ...about, keys: page, ...next };
  },
});

const outline = z.object({
  data: z.object({
    subkeys: z.record(z.string(), z.unknown()),
    metadata: z.object({
      version: z.int(),
      created_time: z.string().optional(),
      custom_metadata: z.record(z.string(), z.string()).nullish(),
    }),
  }),
});

/** A policy may allow the names of keys and not the values: then Vault itself leaves the values out. */
async function readOrOutline(
  vault: Vault,
  place: Place,
  asked: { readonly version: number | undefined; readonly signal: AbortSignal },
): Promise<Secret & { readonly isOutline: boolean }> {
  try {
    return { ...(await readSecret(vault, place, asked)), isOutline: false };
  } catch (error) {
    if (codeOf(error) !== 'forbidden' || place.mount.version === 1) throw error;
    const { version, signal } = asked;
    const answer = await vault
      .ask(outline, requestPath(place, 'subkeys'), { query: { version }, signal })
      .catch((second: unknown) => {
        // The policy that the first error names is the usual one.
        throw codeOf(second) === 'forbidden' ? error : second;
      });
    const { subkeys, metadata } = answer.data;
    return {
      data: subkeys,
      version: metadata.version,
      ...(metadata.created_time !== undefined && { created: metadata.created_time }),
      ...(metadata.custom_metadata && { customMetadata: metadata.custom_metadata }),
      isOutline: true,
    };
  }
}
