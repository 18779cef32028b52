import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { AppError } from '../kernel/errors.ts';
import { fileTrouble } from '../kernel/file-errors.ts';

const LENGTH = 32;

/**
 * The key that encrypts the secrets in a store. It is in a separate file beside the store, so that a copy of the
 * database alone reveals nothing. If two processes create it at once, one wins.
 */
export function masterKey(file: string): Buffer {
  const known = existingKey(file);
  if (known) return known;
  const draft = `${file}.${process.pid}-${randomBytes(4).toString('hex')}`;
  writeFileSync(draft, `${randomBytes(LENGTH).toString('hex')}\n`, { mode: 0o600, flag: 'wx' });
  try {
    // A link appears completely or not at all, and never replaces a file that another process created.
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(draft);
  }
  return existingKey(file) as Buffer;
}

/** The key in this file; undefined if there is no file. Creates nothing. */
export function existingKey(file: string): Buffer | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    const what = `The key of the store, ${file}, ${fileTrouble(error)}.`;
    throw new AppError('unavailable', `${what} Restore it from your backup.`, { cause: error });
  }
  if (/^[\da-f]{64}$/.test(text)) return Buffer.from(text, 'hex');
  throw new AppError(
    'invalid_input',
    `${file} is not the key that Sluice wrote. Restore it from your backup: without it the encrypted data in the store cannot be read.`,
  );
}
