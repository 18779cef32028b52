import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../../kernel/errors.ts';
import type { S3Client, S3Request } from './client.ts';
import { upload } from './upload.ts';

const PART = Buffer.alloc(8 * 1024 * 1024);

describe('an upload in parts', () => {
  it('ends at a part that was refused while its source was slow', async () => {
    const asked: string[] = [];
    const client = {
      spot: { at: 'S3', bucket: 'b' },
      async ask({ method, query }: S3Request) {
        const what = `${method} ${Object.keys(query ?? {}).join()} ${query?.partNumber ?? ''}`.trim();
        asked.push(what);
        if (query?.partNumber === '2') throw new AppError('unavailable', 'S3 refuses part 2.');
        return query?.uploads === '' ? '<UploadId>u</UploadId>' : '"tag"';
      },
    } as unknown as S3Client;
    async function* slow() {
      yield PART;
      yield PART;
      while (!asked.some((what) => what.endsWith(' 2'))) await turn();
      await turn();
      for (let at = 0; at < 5; at++) yield PART;
    }
    const done = upload(client, {}, async () => ({ bytes: 7 * PART.length }), 'k', slow(), undefined);
    await expect(done).rejects.toThrow('S3 refuses part 2.');
    expect(asked.filter((what) => what.includes('partNumber'))).toHaveLength(2);
    expect(asked.at(-1)).toBe('DELETE uploadId');
  });

  it('closes its source if it cannot begin', async () => {
    const client = {
      spot: { at: 'S3', bucket: 'b' },
      ask: () => Promise.reject(new AppError('unavailable', 'S3 is away.')),
    } as unknown as S3Client;
    let isClosed = false;
    async function* file() {
      try {
        for (let at = 0; at < 5; at++) yield PART;
      } finally {
        isClosed = true;
      }
    }
    await expect(upload(client, {}, async () => ({ bytes: 0 }), 'k', file(), undefined)).rejects.toThrow('S3 is away.');
    expect(isClosed).toBe(true);
  });
});
