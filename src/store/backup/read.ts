import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadEntry } from 'tar';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { fileTrouble } from '../../kernel/file-errors.ts';
import { isPassing } from './contents.ts';
import { FORMAT, MANIFEST, type Manifest, manifestSchema, PREFIX } from './manifest.ts';

const MOST_MANIFEST = 64 * 1024 * 1024;

/**
 * Unpacks a backup into an empty folder, and checks every file against the manifest. The archive may come from anywhere:
 * it decides about no path outside of the folder, about no link, and about no more bytes than its manifest names.
 */
export async function unpackBackup(
  archive: string,
  folder: string,
  progress: (text: string) => void,
): Promise<Manifest> {
  let manifest: Manifest | undefined;
  let waiting: Map<string, Manifest['files'][number]> | undefined;
  const refuse = (why: string) => new AppError('invalid_input', `${archive} is not a whole backup of Sluice: ${why}.`);

  async function take(entry: ReadEntry): Promise<void> {
    if (entry.type !== 'File' && entry.type !== 'OldFile') throw refuse(`it holds ${entry.path}, which is not a file`);
    if (!waiting) {
      if (entry.path !== MANIFEST || entry.size > MOST_MANIFEST) throw refuse('it does not begin with a manifest');
      manifest = manifestIn(Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>)).toString('utf8'));
      waiting = new Map(manifest.files.map((file) => [PREFIX + file.path, file]));
      return;
    }
    const file = waiting.get(entry.path);
    if (!file || file.size !== entry.size) throw refuse(`it holds ${entry.path}, which its manifest does not name so`);
    waiting.delete(entry.path);
    progress(`Unpacking ${file.path}`);
    await unpack(entry, file, folder);
  }

  function manifestIn(text: string): Manifest {
    const read = parsed(text);
    const { format, sluice } = Object(read) as { format?: unknown; sluice?: unknown };
    if (typeof format === 'number' && format > FORMAT)
      throw new AppError(
        'unsupported',
        `${archive} was written by Sluice ${String(sluice)}. Restore it with that version or a newer one.`,
      );
    const result = manifestSchema.safeParse(read);
    if (!result.success) throw refuse('its manifest is damaged');
    const paths = result.data.files.map(({ path }) => path);
    const odd = paths.find((path) => isPassing(path)) ?? paths.find((path, index) => paths.indexOf(path) !== index);
    if (odd !== undefined) throw refuse(`its manifest names ${odd}`);
    return result.data;
  }

  async function unpack(entry: ReadEntry, file: Manifest['files'][number], into: string): Promise<void> {
    const to = join(into, file.path);
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const hash = createHash('sha256');
    const hashing = new Transform({
      transform(chunk: Buffer, _, done) {
        hash.update(chunk);
        done(null, chunk);
      },
    });
    const mode = file.program ? 0o700 : 0o600;
    const content = Readable.from(entry as AsyncIterable<Buffer>);
    await pipeline(content, hashing, createWriteStream(to, { mode, flags: 'wx' }));
    if (hash.digest('hex') !== file.sha256) throw refuse(`${file.path} has another checksum`);
  }

  try {
    await eachEntry(archive, take);
  } catch (error) {
    if (error instanceof AppError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EACCES' || code === 'EISDIR')
      throw new AppError('not_found', `${archive} ${fileTrouble(error)}.`);
    throw refuse(messageOf(error));
  }
  if (!manifest || !waiting) throw refuse('it is empty');
  const [missing] = waiting.keys();
  if (missing !== undefined) throw refuse(`${missing} is missing`);
  return manifest;
}

/** One after the other: what an entry means depends on the first one. */
async function eachEntry(archive: string, take: (entry: ReadEntry) => Promise<void>): Promise<void> {
  const { Parser } = await import('tar');
  const source = createReadStream(archive);
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let work: Promise<void> = Promise.resolve();
  const parser = new Parser({
    strict: true,
    onReadEntry(entry) {
      work = work.then(() => take(entry));
      // A second entry arrives only when the first one was read.
      work.catch(reject);
    },
  });
  parser.on('end', () => void work.then(resolve, reject));
  parser.on('error', reject);
  source.on('error', reject);
  source.on('data', (chunk) => {
    if (parser.write(chunk as Buffer)) return;
    source.pause();
    parser.once('drain', () => source.resume());
  });
  source.on('end', () => void parser.end());
  try {
    await promise;
  } finally {
    source.destroy();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
