/** Debian's haproxy in front of replicas, as a team would run it: round robin, asking each whether it is ready. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

const PROGRAM = '/usr/sbin/haproxy';
const START_MS = 10_000;

/** For `describe.skipIf`. If everything must run, a missing haproxy is a failure, not skipped. */
export const haproxyIsMissing =
  existsSync(PROGRAM) || process.env.CI === 'true' ? undefined : 'haproxy is not installed';

export async function startHaproxy(
  directory: string,
  ports: readonly number[],
): Promise<{ url: string } & AsyncDisposable> {
  const port = await freePort();
  const file = join(directory, 'haproxy.cfg');
  const servers = ports.map((one, n) => `  server r${n} 127.0.0.1:${one} check inter 200ms fall 1 rise 1`);
  await writeFile(
    file,
    `global
  maxconn 1000
defaults
  mode http
  timeout connect 1s
  timeout client 60s
  timeout server 60s
  option redispatch
  retries 2
frontend in
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance roundrobin
  option httpchk
  http-check send meth GET uri /ready ver HTTP/1.1 hdr Host 127.0.0.1
${servers.join('\n')}
`,
  );
  const child = spawn(PROGRAM, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  for (const end = Date.now() + START_MS; !(await answers(port)); await delay(20))
    if (Date.now() > end || child.exitCode !== null) throw new Error(`haproxy did not start:\n${output}`);
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
