import { randomBytes } from 'node:crypto';
import type { Check } from '../../../host/check.ts';
import { messageOf } from '../../../kernel/errors.ts';
import { isPlainHttp } from '../../../kernel/plain-http.ts';
import { counted } from '../../../kernel/some-of.ts';
import type { Bucket } from './bucket.ts';
import type { S3Settings } from './settings.ts';

/** Lists, writes, reads and deletes in the bucket, with a tiny object of its own. */
export async function checkBucket(
  check: string,
  bucket: Bucket,
  { prefix, endpoint = '' }: S3Settings,
  waiting: number,
  signal: AbortSignal,
): Promise<Check> {
  const key = `${prefix}sluice-check-${randomBytes(4).toString('hex')}`;
  const text = Buffer.from('Written by sluice doctor.\n');
  try {
    await bucket.list(prefix, { most: 1, signal });
    await bucket.put(key, one(text), { signal });
    try {
      const { start } = await bucket.start(key, text.length, { signal });
      if (!start.equals(text)) throw new Error('It gives back something else than was written.');
    } finally {
      await bucket.remove(key, { signal });
    }
  } catch (error) {
    const detail = signal.aborted ? `${bucket.name} did not answer in time. Check that it runs.` : messageOf(error);
    return { check, result: 'failed', detail };
  }
  const rest = waiting === 0 ? '' : `; ${counted(waiting, 'backup')} still to be copied`;
  const detail = `${bucket.name}: lists, writes, reads and deletes${rest}`;
  if (!isPlainHttp(endpoint)) return { check, result: 'ok', detail };
  return {
    check,
    result: 'warning',
    detail: `${detail}, but without TLS: others on the network can read the backups`,
    fix: 'Use https:// in backups.s3.endpoint.',
  };
}

async function* one(chunk: Buffer): AsyncGenerator<Buffer> {
  yield chunk;
}
