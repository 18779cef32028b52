import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { shortened } from '../../shown.ts';
import { randomText } from '../random-text.ts';
import { pathInput, secretAt, vaultTool } from '../tool.ts';
import { textsIn } from '../values.ts';
import { writeOnly, writeVersion } from '../write.ts';

const keyInput = z.string().min(1).max(500);

export const writeSecret = vaultTool({
  name: 'vault_write_secret',
  title: 'Write secret',
  description:
    'Creates a secret, or a new version of it with cas or merge. generate gives keys random values that nobody sees. The reply has no values.',
  phrases:
    'store a password in vault; save the api key; create a secret; update the secret; rotate the password; generate a new password; add a key to a secret',
  effect: 'update',
  recorded: ['path', 'merge', 'cas', 'overwrite'],
  guidance:
    'Without cas and merge it only creates. To replace a secret, pass its version (vault_read_secret) as cas. Prefer generate to values of your own.',
  examples: [
    { title: 'Create', arguments: { path: 'secret/app/db', secret: { user: 'app' }, generate: { password: 32 } } },
    { title: 'Change one key', arguments: { path: 'secret/app/db', secret: { user: 'app2' }, merge: true } },
  ],
  input: z.strictObject({
    path: pathInput,
    // Logs of others redact by name, too, so it is not called data.
    secret: z.record(keyInput, z.unknown()).default({}).describe('Values by key; with merge, null removes a key'),
    generate: z
      .record(keyInput, z.int().min(8).max(512))
      .default({})
      .describe('Keys that get a random value, with its length'),
    merge: z.boolean().default(false).describe('Keeps the keys that are not named'),
    cas: z.int().min(0).optional().describe('Version that this replaces; 0 for none'),
    overwrite: z.boolean().default(false).describe('KV version 1 only: replaces what is there'),
  }),
  output: z.object({
    path: z.string(),
    version: z.int().optional(),
    keys: z.array(z.string()).describe('That were written'),
  }),
  async run({ path, secret, generate, merge, cas, overwrite }, vault, { signal }) {
    for (const text of textsIn(secret)) vault.revealed(text);
    const twice = Object.keys(generate).find((key) => Object.hasOwn(secret, key));
    if (twice !== undefined)
      throw new AppError(
        'invalid_input',
        `${shortened(twice, 100)} is in secret and in generate. Name it in one of them.`,
      );
    const made = Object.entries(generate).map(([key, length]) => [key, randomText(length)] as const);
    for (const [, text] of made) vault.revealed(text);
    const values = Object.fromEntries([...Object.entries(secret), ...made]);
    const keys = Object.keys(values);
    if (keys.length === 0)
      throw new AppError('invalid_input', 'Nothing to write: pass secret with values by key, or generate with keys.');
    const place = await secretAt(vault, path, signal);
    const done = { path: shortened(place.path, 300), keys: keys.slice(0, 50).map((key) => shortened(key, 30)) };
    if (place.mount.version === 2) {
      if (overwrite)
        throw new AppError(
          'invalid_input',
          `${place.mount.path}/ keeps versions. Pass cas with the version to replace instead of overwrite; vault_read_secret shows it.`,
        );
      return { ...done, version: await writeVersion(vault, place, { values, merge, cas, signal }) };
    }
    if (cas !== undefined)
      throw new AppError(
        'invalid_input',
        `${place.mount.path}/ is a KV engine of version 1, which keeps no versions. Leave cas out; overwrite: true replaces what is there.`,
      );
    await writeOnly(vault, place, { values, merge, overwrite, signal });
    return done;
  },
});
