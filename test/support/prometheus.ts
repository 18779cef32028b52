/** Debian's Prometheus, with scrapes and rules of a suite. */
import { createServer, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type Daemon, startDaemon } from './daemon.ts';
import { freePort } from './free-port.ts';

export const PROMETHEUS = '/usr/bin/prometheus';

interface Wanted {
  /** To start it again where it was. */
  readonly port?: number;
  /** Entries of `scrape_configs`. */
  readonly scrapes?: readonly object[];
  /** Entries of `rules` of one group. */
  readonly rules?: readonly object[];
  /** More of its configuration. */
  readonly config?: object;
  /** What `--web.config.file` has, such as users. */
  readonly web?: object;
  readonly args?: readonly string[];
}

export async function startPrometheus(wanted: Wanted = {}): Promise<Daemon & { port: number; url: string }> {
  const { scrapes = [], rules = [], config = {}, web, args = [] } = wanted;
  const port = wanted.port ?? (await freePort());
  // JSON is valid YAML.
  const files = {
    'prometheus.yml': JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: ['rules.yml'],
      scrape_configs: scrapes,
      ...config,
    }),
    'rules.yml': JSON.stringify({ groups: rules.length > 0 ? [{ name: 'suite', rules }] : [] }),
    ...(web && { 'web.yml': JSON.stringify(web) }),
  };
  const daemon = await startDaemon({
    program: PROMETHEUS,
    port,
    files,
    args: (folder) => [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
      ...(web ? [`--web.config.file=${join(folder, 'web.yml')}`] : []),
      ...args,
    ],
  });
  return { ...daemon, port, url: `http://127.0.0.1:${port}` };
}

/** A web server of the suite, on a free port. */
export async function serveHttp(
  answer: RequestListener,
  port = 0,
): Promise<AsyncDisposable & { host: string; url: string }> {
  const server = createServer(answer).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
