import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectSecurely, createServer as createSecureServer } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { type Framing, isTooLong, limitMessages } from './message-limit.ts';

const MB = 1024 * 1024;
const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Everything is one message. */
const adding: Framing = (most) => {
  let length = 0;
  return (piece) => ((length += piece.length) > most ? 0 : -1);
};

async function listening(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function flood(socket: Socket): void {
  const piece = Buffer.alloc(64 * 1024, 'x');
  const more = () => {
    while (!socket.destroyed && socket.write(piece));
  };
  socket.on('error', () => {}).on('drain', more);
  more();
}

/** How many bytes the socket hands on, and why it ends. */
async function readFrom(socket: Socket): Promise<{ read: number; error: unknown }> {
  let read = 0;
  let error: unknown;
  socket.on('data', (data: Buffer) => (read += data.length)).on('error', (thrown) => (error = thrown));
  await once(socket, 'close').catch(() => {});
  return { read, error };
}

test('ends a connection with a message that is too long, and leaves others alone', async () => {
  const server = createServer(flood);
  const port = await listening(server);
  try {
    const other = connect(port, '127.0.0.1');
    const { read, error } = await readFrom(limitMessages(adding, () => connect(port, '127.0.0.1')));
    expect(isTooLong(error)).toBe(true);
    expect(isTooLong(new Error('outer', { cause: error }))).toBe(true);
    expect(read).toBeGreaterThan(16 * MB);
    expect(read).toBeLessThan(17 * MB);
    let seen = 0;
    for await (const piece of other as AsyncIterable<Buffer>) if ((seen += piece.length) > 32 * MB) break;
    expect(seen).toBeGreaterThan(32 * MB);
  } finally {
    server.close();
  }
});

test('judges what TLS has decrypted', async () => {
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...args, '-keyout', 'key.pem', '-out', 'cert.pem'], { cwd: folder, stdio: 'pipe' });
  const [key, cert] = ['key.pem', 'cert.pem'].map((name) => readFileSync(join(folder, name)));
  const server = createSecureServer({ key, cert }, flood);
  const port = await listening(server);
  const pieces: Buffer[] = [];
  const framing: Framing = () => (piece) => {
    pieces.push(piece);
    return pieces.length > 3 ? 1 : -1;
  };
  try {
    const socket = limitMessages(framing, () =>
      connectSecurely({ port, host: '127.0.0.1', rejectUnauthorized: false }),
    );
    const { read, error } = await readFrom(socket);
    expect(isTooLong(error)).toBe(true);
    // All pieces before, and what is before the message in its own.
    expect(read).toBe(Buffer.concat(pieces.slice(0, 3)).length + 1);
    expect(Buffer.concat(pieces).every((byte) => byte === 120)).toBe(true);
  } finally {
    server.close();
  }
});

test('other errors are none of it', () => {
  expect(isTooLong(new Error('closed', { cause: new Error('ECONNRESET') }))).toBe(false);
  expect(isTooLong(undefined)).toBe(false);
});
