/** The image as it is released: all of the Dockerfile. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGzip } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { imageContract, imageIsMissing } from '../support/image/contract.ts';

const MOST_BYTES = 300_000_000;

describe.skipIf(imageIsMissing)('the released image', () => {
  const made = imageContract({ sources: false, buildMs: 1_800_000 });

  test('holds the built package, in less than 300 MB compressed', async () => {
    const { workshop, image } = made();
    const listed = await workshop.podman('run', '--rm', '--entrypoint', 'ls', image.name, '/app');
    expect(listed.split('\n')).toEqual(expect.arrayContaining(['dist', 'n8n-workflows', 'shipped-blueprints']));
    expect(listed.split('\n')).not.toContain('src');
    const folder = await mkdtemp(join(tmpdir(), 'sluice-saved-'));
    try {
      const file = join(folder, 'image.tar');
      await workshop.podman('save', '--output', file, image.name);
      let bytes = 0;
      for await (const chunk of createReadStream(file).pipe(createGzip())) bytes += (chunk as Buffer).length;
      console.log(`The image takes ${Math.round(bytes / 1e6)} MB compressed.`);
      expect(bytes).toBeLessThan(MOST_BYTES);
      expect(bytes).toBeGreaterThan(50_000_000);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
