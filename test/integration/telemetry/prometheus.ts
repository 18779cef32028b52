/** Debian's Prometheus, scraping one address. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../support/free-port.ts';

const PROMETHEUS = '/usr/bin/prometheus';
const PROMTOOL = '/usr/bin/promtool';

/** `npm test` installs it if it can. In CI the tests fail without it; elsewhere they are skipped. */
export const prometheusIsMissing = !existsSync(PROMETHEUS) && process.env.CI !== 'true';

export interface Sample {
  metric: Record<string, string>;
  value: number;
}

export interface Prometheus extends AsyncDisposable {
  /** The result of an instant query. */
  query(expression: string): Promise<Sample[]>;
  /** The state of the target: `up`, or the error of the last scrape. */
  target(): Promise<{ health: string; lastError: string } | undefined>;
}

/** `scrape` is the entry of `scrape_configs`, without the interval. */
export async function startPrometheus(directory: string, scrape: object): Promise<Prometheus> {
  const port = await freePort();
  const file = join(directory, 'prometheus.yml');
  // JSON is valid YAML.
  await writeFile(file, JSON.stringify({ scrape_configs: [{ job_name: 'sluice', scrape_interval: '1s', ...scrape }] }));
  const child = spawn(
    PROMETHEUS,
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(directory, 'tsdb')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: 'ignore' },
  );
  const exited = once(child, 'exit');
  const api = async <T>(path: string): Promise<T | undefined> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).catch(() => undefined);
    return response?.ok ? ((await response.json()) as { data: T }).data : undefined;
  };
  return {
    async query(expression) {
      type Found = { result: { metric: Record<string, string>; value: [number, string] }[] };
      const found = await api<Found>(`query?query=${encodeURIComponent(expression)}`);
      return (found?.result ?? []).map(({ metric, value }) => ({ metric, value: Number(value[1]) }));
    },
    async target() {
      const found = await api<{ activeTargets: { health: string; lastError: string }[] }>('targets');
      return found?.activeTargets[0];
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** The complaints of `promtool check metrics`. Empty if there are none. */
export function checkMetrics(text: string): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(PROMTOOL, ['check', 'metrics'], (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}${error && !stderr ? error.message : ''}`),
    );
    child.stdin?.end(text);
  });
}
