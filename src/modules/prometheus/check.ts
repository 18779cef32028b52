import { AppError } from '../../kernel/errors.ts';
import { buildAnswer, queryAnswer } from './answers.ts';
import type { Prometheus } from './connection.ts';
import { QUERY } from './explain.ts';
import { numberIn } from './numbers.ts';

/** Such as `Prometheus 2.42.0, 3 of 4 targets up`. */
export async function check(prometheus: Prometheus, signal: AbortSignal): Promise<string> {
  const count = async (query: string) => {
    const { data } = await prometheus.ask(queryAnswer, QUERY, { params: { query }, signal });
    const found = data.resultType === 'vector' ? data.result[0]?.value?.[1] : undefined;
    return found === undefined ? 0 : numberIn(found);
  };
  const [version, up, all] = await Promise.all([versionOf(prometheus, signal), count('sum(up)'), count('count(up)')]);
  return `${version}, ${up} of ${all} targets up`;
}

async function versionOf(prometheus: Prometheus, signal: AbortSignal): Promise<string> {
  try {
    const { data } = await prometheus.ask(buildAnswer, '/api/v1/status/buildinfo', { signal });
    return [data.application ?? 'Prometheus', data.version].filter(Boolean).join(' ').slice(0, 100);
  } catch (error) {
    if (error instanceof AppError && error.code === 'unsupported') return 'Prometheus API';
    throw error;
  }
}
