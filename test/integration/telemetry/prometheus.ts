/** Debian's Prometheus, scraping one address. */
import { execFile } from 'node:child_process';
import { isMissing } from '../../support/daemon.ts';
import { PROMETHEUS, startPrometheus as startServer } from '../../support/prometheus.ts';

const PROMTOOL = '/usr/bin/promtool';

/** `npm test` installs it if it can. In CI the tests fail without it; elsewhere they are skipped. */
export const prometheusIsMissing = isMissing(PROMETHEUS) !== undefined;

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

/** `scrape` is the entry of `scrape_configs`, without its name. */
export async function startPrometheus(scrape: object): Promise<Prometheus> {
  const server = await startServer({ scrapes: [{ job_name: 'sluice', ...scrape }] });
  const api = async <T>(path: string): Promise<T | undefined> => {
    const response = await fetch(`${server.url}/api/v1/${path}`).catch(() => undefined);
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
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
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
