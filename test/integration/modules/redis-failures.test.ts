import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from '../../support/daemon.ts';
import { freePort } from '../../support/free-port.ts';
import { moduleClient } from '../../support/module-client.ts';
import { behind, ownRedis, REDIS } from '../../support/own-redis.ts';

const password = 'geheim/8';
const written = encodeURIComponent(password);

describe.skipIf(isMissing(REDIS))('redis that is away, slow or strict', () => {
  test('is not running, and then it is', async () => {
    const port = await freePort();
    await using client = await moduleClient({ redis: { url: `redis://127.0.0.1:${port}`, mode: 'read-write' } });
    expect(await client.refused('redis', 'redis_get_key', { key: 'a' })).toContain(
      `redis at 127.0.0.1:${port} is not running`,
    );
    expect(client.health('redis')).toMatchObject({ state: 'failing' });
    await using _ = await ownRedis([], port);
    expect(await client.call('redis', 'redis_set_key', { key: 'a', value: '1' })).toMatchObject({ stored: true });
    expect(client.health('redis')).toMatchObject({ state: 'ready' });
  });

  test('is killed in mid-call and comes back; reads and writes go on', async () => {
    const port = await freePort();
    await using client = await moduleClient({ redis: { url: `redis://127.0.0.1:${port}`, mode: 'read-write' } });
    {
      await using first = await ownRedis([], port);
      await client.call('redis', 'redis_set_key', { key: 'a', value: '1' });
      await using raw = await behind(first.url);
      await raw.send('CLIENT', 'PAUSE', '60000', 'WRITE');
      const waiting = client.refused('redis', 'redis_set_key', { key: 'a', value: '2' });
      await expect.poll(() => raw.send('CLIENT', 'LIST')).toMatch(/name=sluice .*cmd=set /);
      await first.end();
      const reason = await waiting;
      expect(reason).toContain('closed the connection');
      expect(reason).toContain('may or may not have taken effect');
      expect(client.health('redis')).toMatchObject({ state: 'failing' });
    }
    await using second = await ownRedis([], port);
    expect(await client.call('redis', 'redis_set_key', { key: 'a', value: '3' })).toMatchObject({ stored: true });
    expect(client.health('redis')).toMatchObject({ state: 'ready' });
    await second.end();
    // Its connection ended while nobody used it. A write must not fail because of that.
    await using _ = await ownRedis([], port);
    expect(await client.call('redis', 'redis_set_key', { key: 'a', value: '4' })).toMatchObject({ stored: true });
    expect(await client.read('redis', 'redis_get_key', { key: 'a' })).toMatchObject({ value: '4' });
  });

  test('does not answer: the call ends in time, the next one works, and others are not touched', async () => {
    await using frozen = await ownRedis();
    await using other = await ownRedis();
    await using client = await moduleClient({
      redis: { url: frozen.url, timeout: '700ms' },
      'redis-other': { type: 'redis', url: other.url, mode: 'read-write' },
    });
    await client.read('redis', 'redis_get_database_size');
    frozen.process.kill('SIGSTOP');
    const began = performance.now();
    const reason = await client.refused('redis', 'redis_get_database_size');
    expect(reason).toContain('took longer than 0.7 s');
    expect(performance.now() - began).toBeLessThan(5000);
    expect(await client.refused('redis', 'redis_get_database_size')).toContain('does not answer');
    const stored = await client.call('redis-other', 'redis-other_set_key', { key: 'a', value: '1' });
    expect(stored).toMatchObject({ stored: true });
    frozen.process.kill('SIGCONT');
    expect(await client.read('redis', 'redis_get_database_size')).toMatchObject({ keys: 0 });
  });

  test('wants a password: none, a wrong one, the right one; and it appears nowhere', async () => {
    await using server = await ownRedis(['--requirepass', password]);
    const at = (userInfo: string) => `redis://${userInfo}127.0.0.1:${server.port}`;
    await using client = await moduleClient({
      redis: { url: at(`:${written}@`) },
      'redis-none': { type: 'redis', url: at('') },
      'redis-wrong': { type: 'redis', url: at(':falsch-geheim@') },
      'redis-user': { type: 'redis', url: at(`nobody:${written}@`) },
      'redis-database': { type: 'redis', url: `${at(`:${written}@`)}/999` },
    });
    expect(await client.read('redis', 'redis_get_database_size')).toMatchObject({ keys: 0 });
    const none = await client.refused('redis-none', 'redis-none_get_database_size');
    expect(none).toContain('needs a password');
    expect(none).toContain('modules.redis-none.url');
    const wrong = await client.refused('redis-wrong', 'redis-wrong_get_database_size');
    expect(wrong).toContain('refuses the user or the password');
    expect(wrong).not.toContain('falsch-geheim');
    expect(await client.refused('redis-user', 'redis-user_get_database_size')).toContain('refuses the user');
    expect(await client.refused('redis-database', 'redis-database_get_database_size')).toContain(
      'does not have the database',
    );
    const events = JSON.stringify(await client.gateway.stored({}));
    for (const secret of [password, written, 'falsch-geheim']) {
      expect(events).not.toContain(secret);
      expect(JSON.stringify(client.gateway.runtime.health())).not.toContain(secret);
    }
  });

  test('has a user with few rights, a full memory, and is a replica', async () => {
    await using server = await ownRedis([
      '--user',
      'ada',
      'on',
      `>${password}`,
      '~app:*',
      '+@read',
      '+set',
      '+client|setname',
    ]);
    await using replica = await ownRedis(['--replicaof', '127.0.0.1', `${server.port}`]);
    await using client = await moduleClient({
      redis: { url: server.url, mode: 'read-write' },
      'redis-ada': { type: 'redis', url: `redis://ada:${written}@127.0.0.1:${server.port}`, mode: 'read-write' },
      'redis-replica': { type: 'redis', url: replica.url, mode: 'read-write' },
    });
    const write = { key: 'a', value: 'x' };
    expect(await client.refused('redis-ada', 'redis-ada_set_key', write)).toContain('does not allow this user');
    expect(await client.refused('redis-replica', 'redis-replica_set_key', write)).toContain('is a replica');
    await using raw = await behind(server.url);
    await raw.send('CONFIG', 'SET', 'maxmemory', '1');
    expect(await client.refused('redis', 'redis_set_key', write)).toContain('memory limit');
    expect(await client.read('redis', 'redis_get_memory_report')).toMatchObject({ limit_bytes: 1 });
  });

  test('is something else', async () => {
    const other = createServer((socket) => socket.on('error', () => {}).write('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const port = await freePort();
    await new Promise<void>((resolve) => other.listen(port, '127.0.0.1', resolve));
    try {
      await using client = await moduleClient({ redis: { url: `redis://127.0.0.1:${port}`, timeout: '3s' } });
      expect(await client.refused('redis', 'redis_get_database_size')).toContain(
        'does not speak the protocol of Redis',
      );
    } finally {
      other.close();
    }
  });

  test('a wrong section of the file is named with its fix', async () => {
    for (const url of ['http://127.0.0.1:1', 'redis://', 'redis://host/name', 'redis://:%ZZ@host'])
      await expect(moduleClient({ redis: { url } })).rejects.toThrow(/not the URL of a Redis/);
    await expect(moduleClient({ redis: { url: 'redis://h', prefix: 'x' } })).rejects.toThrow(/prefix/);
    await expect(moduleClient({ redis: {} })).rejects.toThrow(/url/);
  });

  test('the URL may come from the environment', async () => {
    await using server = await ownRedis();
    await using client = await moduleClient({ redis: {} }, { env: { REDIS_URL: server.url } });
    expect(await client.read('redis', 'redis_get_database_size')).toMatchObject({ keys: 0 });
  });

  test('an answer of 50 MB fails the call that asked for it, and no other', async () => {
    await using server = await ownRedis();
    await using raw = await behind(server.url);
    await raw.send('EVAL', "redis.call('HSET', KEYS[1], 'f', string.rep('x', 50000000))", '1', 'big');
    await using client = await moduleClient({ redis: { url: server.url } });
    const size = () => client.read('redis', 'redis_get_database_size');
    const before = await size();
    const beside = Array.from({ length: 20 }, size);
    expect(await client.refused('redis', 'redis_get_hash', { key: 'big' })).toContain(
      'answered with a message of more than 16 MB, and the connection was closed. Ask for less',
    );
    expect(await Promise.all([...beside, size()])).toEqual(Array.from({ length: 21 }, () => before));
    expect(client.health('redis')).toMatchObject({ state: 'ready' });
  });

  describe('with TLS', () => {
    let folder: string;
    const at = (name: string) => join(folder, name);
    beforeAll(() => {
      folder = mkdtempSync(join(tmpdir(), 'sluice-redis-tls-'));
      const name = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '2',
          ...name,
          '-keyout',
          'key.pem',
          '-out',
          'cert.pem',
        ],
        { cwd: folder, stdio: 'pipe' },
      );
      chmodSync(folder, 0o755);
      chmodSync(at('key.pem'), 0o644);
    });
    afterAll(() => rmSync(folder, { recursive: true }));

    test('the certificate is trusted if it is named, refused if not, and accepted if anything is', async () => {
      const files = [
        '--tls-cert-file',
        at('cert.pem'),
        '--tls-key-file',
        at('key.pem'),
        '--tls-ca-cert-file',
        at('cert.pem'),
      ];
      await using server = await ownRedis(['--port', '0', ...files, '--tls-auth-clients', 'no', '--tls-port']);
      const url = `rediss://127.0.0.1:${server.port}`;
      const plain = { type: 'redis', url: `redis://127.0.0.1:${server.port}` };
      await using client = await moduleClient({
        redis: { url, ca: at('cert.pem') },
        'redis-untrusted': { type: 'redis', url },
        'redis-insecure': { type: 'redis', url, insecure: true },
        'redis-plain': plain,
      });
      expect(await client.read('redis', 'redis_get_database_size')).toMatchObject({ keys: 0 });
      expect(await client.read('redis-insecure', 'redis-insecure_get_database_size')).toMatchObject({ keys: 0 });
      const untrusted = await client.refused('redis-untrusted', 'redis-untrusted_get_database_size');
      expect(untrusted).toContain('modules.redis-untrusted.ca');
      expect(await client.refused('redis-plain', 'redis-plain_get_database_size')).toContain('rediss://');
      const mixed = moduleClient({ redis: { ...plain, ca: at('cert.pem') } });
      await expect(mixed).rejects.toThrow(/Write rediss:/);
    });

    test('TLS to a server without it', async () => {
      await using server = await ownRedis();
      await using client = await moduleClient({
        redis: { url: `rediss://127.0.0.1:${server.port}`, ca: at('cert.pem'), timeout: '3s' },
      });
      expect(await client.refused('redis', 'redis_get_database_size')).toMatch(/TLS|closed the connection/);
    });
  });
});
