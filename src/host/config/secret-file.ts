import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { isUtf8 } from 'node:buffer';
import { fileTrouble } from '../../kernel/file-errors.ts';
import type { NameRead } from './scheme.ts';

/** Certificates with their chain fit. Whatever is longer is no secret, but a wrong path. */
const MOST_BYTES = 64 * 1024;

export interface SecretFile {
  readonly read: NameRead;
  /** Whether a change of it can be noticed. Devices and files of any length are not read again and again. */
  readonly watched: boolean;
}

/**
 * The text of a file that holds one secret, without the line break at its end: editors and `echo` add one, and nobody
 * means it.
 */
export async function readSecretFile(path: string): Promise<SecretFile> {
  try {
    // A pipe without a writer would wait forever.
    await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await file.stat();
    if (!found.isFile() && !found.isDirectory())
      return refused(`${path} is not a file`, 'Name a regular file: pipes and devices cannot be read again.');
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES + 1), 0, MOST_BYTES + 1, 0);
    if (bytesRead > MOST_BYTES)
      return refused(`${path} has more than ${MOST_BYTES / 1024} KB`, 'Name a file that holds only the secret.');
    const content = buffer.subarray(0, bytesRead);
    if (!isUtf8(content) || content.includes(0))
      return refused(`${path} is not a text`, 'Name a file with text in UTF-8, and encode binary secrets.', true);
    return { read: { value: content.toString('utf8').replace(/\r?\n$/, '') }, watched: true };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const absent = code === 'ENOENT' || code === 'ENOTDIR';
    return { read: { absent, message: `${path} ${fileTrouble(error)}`, fix: fixFor(code) }, watched: true };
  }
}

const refused = (message: string, fix: string, watched = false): SecretFile => ({
  read: { absent: false, message, fix },
  watched,
});

function fixFor(code: string | undefined): string {
  switch (code) {
    case 'EISDIR':
      return 'Name the file in it that holds the secret.';
    case 'EACCES':
    case 'EPERM':
      return 'Let the user that Sluice runs as read it.';
    default:
      return 'Check the path, and whether the secret is mounted.';
  }
}
