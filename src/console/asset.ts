import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../kernel/errors.ts';
import type { Bundle } from './bundle.ts';
import { icon } from './icon.ts';

const types: ReadonlyMap<string, string> = new Map([
  ['js', 'text/javascript; charset=utf-8'],
  ['css', 'text/css; charset=utf-8'],
]);

const shared = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer', vary: 'Accept-Encoding' };

/** A file of the bundle. Names carry a hash of what is in them, so browsers may keep them. */
export async function assetReply(request: Request, { directory, files }: Bundle, name: string): Promise<Response> {
  if (name === 'icon.svg') {
    const headers = { ...shared, 'content-type': 'image/svg+xml', 'cache-control': 'public, max-age=86400' };
    return new Response(icon, { headers });
  }
  if (!files.includes(name)) {
    throw new AppError('not_found', `The console has no file of this name. It was updated: reload the page.`);
  }
  const zipped = /\bgzip\b/.test(request.headers.get('accept-encoding') ?? '');
  const bytes = await readFile(join(directory, zipped ? `${name}.gz` : name));
  return new Response(bytes, {
    headers: {
      ...shared,
      'content-type': types.get(name.slice(name.lastIndexOf('.') + 1)) ?? 'application/octet-stream',
      'cache-control': 'public, max-age=31536000, immutable',
      ...(zipped && { 'content-encoding': 'gzip' }),
    },
  });
}
