import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { own } from '../../../kernel/own.ts';
import { readSecret } from '../kv.ts';
import { revealedPart } from '../revealed-part.ts';
import { pathInput, secretAt, vaultTool, versionInput } from '../tool.ts';
import { textsIn } from '../values.ts';

export const revealSecret = vaultTool({
  name: 'vault_reveal_secret',
  title: 'Reveal secret',
  description:
    'Shows the values of a secret. Needs the scope vault:reveal; vault_read_secret is enough for keys and versions.',
  phrases:
    'show me the password; what is the value of the secret; reveal the api key; get the credentials of the database; print the secret',
  // It only reads, but whoever allows vault_read for good must not allow this with it. As `execute` it is called through
  // vault_call, clients ask before it, and keys with `confirm: writes` have to confirm it.
  effect: 'execute',
  inReadOnly: true,
  scope: 'vault:reveal',
  input: z.strictObject({
    path: pathInput,
    version: versionInput,
    keys: z.array(z.string().min(1).max(500)).min(1).max(100).optional().describe('Default all'),
    offset: z.int().min(0).optional().describe('Where a long value goes on, with one key'),
  }),
  output: z.object({
    path: z.string(),
    version: z.int().optional(),
    values: z.record(z.string(), z.unknown()),
    next_offset: z.int().optional().describe('Where the long value goes on'),
    left_out: z.array(z.string()).optional().describe('Keys without room here: name them in keys'),
  }),
  async run({ path, version, keys, offset }, vault, { signal }) {
    if (offset !== undefined && keys?.length !== 1)
      throw new AppError('invalid_input', 'offset continues one value: name its key in keys.');
    const place = await secretAt(vault, path, signal);
    const secret = await readSecret(vault, place, { version, signal });
    const chosen = keys?.map((key) => [key, valueOf(secret.data, key, place.path)] as const);
    const entries = chosen ?? Object.entries(secret.data);
    // Before the values leave this function, so that no event and no log has them.
    for (const text of textsIn(Object.fromEntries(entries))) vault.revealed(text);
    const about = { path: place.path, ...(secret.version !== undefined && { version: secret.version }) };
    return { ...about, ...revealedPart(entries, offset ?? 0, about) };
  },
});

function valueOf(data: Readonly<Record<string, unknown>>, key: string, path: string): unknown {
  const value = own(data, key);
  if (value !== undefined) return value;
  const names = Object.keys(data).slice(0, 20).join(', ');
  throw new AppError(
    'not_found',
    `${path} has no key ${key}. It has ${names || 'none'}; vault_read_secret shows them.`,
  );
}
