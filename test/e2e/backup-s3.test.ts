import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createN8nClient, type N8nClient } from '../../src/n8n/client/client.ts';
import { withoutCatalogue } from '../support/catalogue.ts';
import { createPlace, type Place } from '../support/command-line.ts';
import { N8N_START_MS, n8nIsMissing } from '../support/n8n.ts';
import { CANARY, s3IsMissing, startS3, type TestS3 } from '../support/s3.ts';
import { faultsBefore, type S3Faults, xml } from '../support/s3-faults.ts';
import { reachN8n } from '../support/workbench.ts';

describe.skipIf(n8nIsMissing ?? s3IsMissing())('sluice backup, with S3', () => {
  let s3: TestS3;
  let faults: S3Faults;
  let place: Place;
  let client: N8nClient;
  let id: string;
  const name = `cli-s3-${Math.random().toString(36).slice(2, 8)}`;
  /** Everything that was printed. */
  let printed = '';

  beforeAll(async () => {
    const { url, apiKey } = await reachN8n();
    s3 = await startS3();
    faults = await faultsBefore(s3.endpoint);
    const { accessKeyId: _, secretAccessKey: __, ...section } = s3.section({ endpoint: faults.endpoint });
    place = await createPlace({
      n8n: { default: { url, apiKey } },
      nodes: withoutCatalogue,
      backups: { s3: section },
    });
    client = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    id = (await client.workflows.create({ name, nodes: [], connections: {}, settings: {} })).id;
  }, N8N_START_MS);

  afterAll(async () => {
    await client.workflows.delete(id).catch(() => {});
    await place[Symbol.asyncDispose]();
    await faults[Symbol.asyncDispose]();
    await s3[Symbol.asyncDispose]();
  });

  it('copies, lists and restores from S3, reports its state, and never prints the key', async () => {
    const { accessKeyId, secretAccessKey } = s3.section();
    const env = { AWS_ACCESS_KEY_ID: String(accessKeyId), AWS_SECRET_ACCESS_KEY: String(secretAccessKey) };
    const run = async (...args: string[]) => {
      const done = await place.run(args, { env });
      printed += done.stdout + done.stderr;
      return done;
    };
    // Without a gateway: the command itself waits for S3.
    expect(await run('backup', 'create', id)).toMatchObject({ code: 0 });
    expect((await run('backup', 'list', id)).stdout).toMatch(/WHERE[^]*disk, s3/);
    await rm(join(place.home, 'backups'), { recursive: true });
    {
      await using gateway = await place.serve(env);
      await client.workflows.delete(id);
      expect(await run('backup', 'restore', id)).toMatchObject({ code: 0, stdout: `${id}\n` });
      expect(await run('backup', 'copy')).toMatchObject({ code: 0, stderr: expect.stringContaining('S3') });
      expect((await run('doctor')).stdout).toMatch(/backups s3.*lists, writes, reads and deletes/);
      faults.fault = xml(403, 'SignatureDoesNotMatch');
      expect(await run('backup', 'create', id)).toMatchObject({
        code: 0,
        stderr: expect.stringContaining('not in S3 yet'),
      });
      await vi.waitFor(
        async () => expect((await run('status')).stdout).toMatch(/backups s3.*1 backup waits for S3.*signature/),
        { timeout: 15_000, interval: 300 },
      );
      expect((await run('backup', 'copy')).code).not.toBe(0);
      expect((await run('events', '--type', 'n8n.backups_s3_failed', '--json')).stdout).toContain('signature');
      gateway.child.kill('SIGTERM');
      const { stdout, stderr } = await gateway.finished;
      printed += stdout + stderr;
    }
    expect(printed).toContain('backups in S3 failed');
    expect(printed).not.toContain(CANARY);
    expect(printed).not.toContain(encodeURIComponent(CANARY));
  });
});
