import { AppError } from '../../kernel/errors.ts';
import { type Metadata, metadataAnswer } from './answers.ts';
import type { Prometheus } from './connection.ts';

/** Type and help of metrics by name, of all or of one; empty where the server has none, or too many to send. */
export async function metadataOf(
  prometheus: Prometheus,
  signal: AbortSignal,
  metric?: string,
): Promise<(name: string) => Metadata | undefined> {
  try {
    const params = { limit_per_metric: 1, metric };
    const { data } = await prometheus.ask(metadataAnswer, '/api/v1/metadata', { params, signal });
    return (name) => data.get(name) ?? data.get(familyOf(name));
  } catch (error) {
    if (error instanceof AppError && (error.code === 'unsupported' || error.code === 'too_large'))
      return () => undefined;
    throw error;
  }
}

/** The name that metadata has for the series of a histogram, summary or counter. */
export const familyOf = (name: string): string => name.replace(/_(?:bucket|sum|count|total|created|info)$/, '');
