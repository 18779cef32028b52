/** Load balancers in front of replicas, with the configuration that docs/replicas.md shows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.ts';

const START_MS = 10_000;
const docs = fileURLToPath(new URL('../../docs/replicas.md', import.meta.url));

export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** What it printed last. */
  said(): string;
}

interface Kind {
  readonly program: string;
  /** The documented block begins with a comment with its name. */
  readonly file: string;
  /** Puts addresses of this machine in place of the documented ones. */
  here(documented: string, port: number, replicas: readonly number[], directory: string): string;
  args(file: string, directory: string): string[];
}

/** In place of one line of the documentation. */
function instead(text: string, line: RegExp, ...lines: string[]): string {
  if (!line.test(text)) throw new Error(`docs/replicas.md has no line like ${line}.`);
  return text.replace(line, () => lines.join('\n'));
}

const kinds = {
  haproxy: {
    program: '/usr/sbin/haproxy',
    file: 'haproxy.cfg',
    here: (documented, port, replicas) => {
      const servers = replicas.map((one, n) => `  server r${n} 127.0.0.1:${one}`);
      const bare = instead(documented, /^resolvers docker\n.*$/m, '');
      return instead(instead(bare, /bind :\d+/, `bind 127.0.0.1:${port}`), /^ *server-template .*$/m, ...servers);
    },
    args: (file) => ['-db', '-f', file],
  },
  nginx: {
    program: '/usr/sbin/nginx',
    file: 'nginx.conf',
    here: (documented, port, replicas, directory) => {
      const [, settings = ''] = /^ *server sluice-\d:\d+(.*)$/m.exec(documented) ?? [];
      const servers = replicas.map((one) => `  server 127.0.0.1:${one}${settings}`);
      const http = instead(
        instead(documented, /listen \d+;/, `listen 127.0.0.1:${port};`),
        /^( *server sluice-\d.*\n)+/m,
        ...servers,
        '',
      );
      const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (one) => `${one}_temp_path ${directory}/${one};`,
      );
      return `daemon off; user root; error_log stderr; pid ${directory}/pid; events {}\nhttp { access_log off; ${places.join(' ')}\n${http}}\n`;
    },
    args: (file, directory) => ['-e', 'stderr', '-p', directory, '-c', file],
  },
} satisfies Record<string, Kind>;

export type ProxyName = keyof typeof kinds;

/** For `describe.skipIf`. If everything must run, a missing program is a failure, not skipped. */
export const proxyIsMissing = (name: ProxyName): string | undefined =>
  existsSync(kinds[name].program) || process.env.CI === 'true' ? undefined : `${name} is not installed`;

export async function startProxy(name: ProxyName, directory: string, replicas: readonly number[]): Promise<Proxy> {
  const kind: Kind = kinds[name];
  const own = join(directory, name);
  await mkdir(own, { recursive: true });
  const port = await freePort();
  const file = join(own, kind.file);
  const [, documented = ''] =
    new RegExp(`\`\`\`text\n# ${kind.file}\n([^]*?)\`\`\``).exec(readFileSync(docs, 'utf8')) ?? [];
  await writeFile(file, kind.here(documented, port, replicas, own));
  const child = spawn(kind.program, kind.args(file, own), { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  let output = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  for (const end = Date.now() + START_MS; !(await answers(port)); await delay(20))
    if (Date.now() > end || child.exitCode !== null) throw new Error(`${name} did not start:\n${output}`);
  return {
    url: `http://127.0.0.1:${port}`,
    said: () => output.slice(-3000),
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
