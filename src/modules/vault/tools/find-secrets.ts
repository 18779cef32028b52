import { z } from 'zod';
import { globMatcher } from '../../../kernel/glob.ts';
import { shortened } from '../../shown.ts';
import type { Vault } from '../connection.ts';
import type { Place } from '../kv.ts';
import { readMounts } from '../mounts.ts';
import { paged } from '../../paged.ts';
import { cursorInput, cursorOutput, folderAt, pathInput, vaultTool } from '../tool.ts';
import { walk } from '../walk.ts';

export const findSecrets = vaultTool({
  name: 'vault_find_secrets',
  title: 'Find secrets',
  description:
    'Finds secrets by name, in all folders below a path or in all KV engines. The query is part of the path, or a glob: secret/*/db.',
  phrases:
    'where is the password of the database; find the secret of the shop; search vault for stripe; which path has the api key',
  effect: 'read',
  input: z.strictObject({
    query: z.string().trim().min(1).max(200).describe('Part of the path, or a glob over the whole path'),
    path: pathInput.optional().describe('Engine or folder to search; default all'),
    cursor: cursorInput,
  }),
  output: z.object({
    total: z.int(),
    secrets: z.array(z.string()),
    folders: z.int().describe('Searched'),
    note: z.string().optional(),
    cursor: cursorOutput,
  }),
  async run({ query, path, cursor }, vault, { signal }, progress) {
    const start = await startsOf(vault, path, signal);
    const { found, folders, refused, isCut } = await walk(vault, start, matcherOf(query), { signal, progress });
    const notes = [
      isCut && 'There are more folders than one search looks through: pass a path to search fewer.',
      refused > 0 && `The token may not list ${refused} of the folders.`,
    ].filter((note) => note !== false);
    const about = { total: found.length, folders, ...(notes.length > 0 && { note: notes.join(' ') }) };
    const secrets = found.map((one) => shortened(one, 1000));
    const asked = { query, path };
    const { page, next } = paged(secrets, (one) => one, { list: 'vault_find_secrets', asked, cursor, besides: about });
    return { ...about, secrets: page, ...next };
  },
});

async function startsOf(vault: Vault, path: string | undefined, signal: AbortSignal): Promise<readonly Place[]> {
  if (path !== undefined) return [await folderAt(vault, path, signal)];
  const mounts = await readMounts(vault, signal);
  return mounts.flatMap(({ path: at, type, version }) =>
    version === undefined ? [] : [{ mount: { path: at, type, version }, name: '', path: at }],
  );
}

function matcherOf(query: string): (path: string) => boolean {
  if (/[*?]/.test(query)) return globMatcher([query]);
  const part = query.toLowerCase();
  return (path) => path.toLowerCase().includes(part);
}
