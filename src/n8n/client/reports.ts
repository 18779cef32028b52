import { z } from 'zod';
import type { N8nHttp } from './http.ts';

const sectionShape = z.looseObject({
  title: z.string(),
  description: z.string().default(''),
  recommendation: z.string().default(''),
  location: z.array(z.record(z.string(), z.unknown())).optional(),
});

const reportShape = z.looseObject({ risk: z.string(), sections: z.array(sectionShape) });

const metricShape = z.looseObject({ value: z.number(), deviation: z.number().nullish(), unit: z.string().optional() });

const insightsShape = z.looseObject({
  total: metricShape,
  failed: metricShape,
  failureRate: metricShape,
  timeSaved: metricShape,
  averageRunTime: metricShape,
});

export type AuditReport = z.output<typeof reportShape>;

/** n8n reads every workflow before it answers. */
const AUDIT_MS = 120_000;

export function reportsOf(http: N8nHttp) {
  return {
    /** One report for each kind of risk. n8n answers with an empty list if it finds none. */
    async audit(
      asked: { categories?: readonly string[]; daysAbandonedWorkflow?: number },
      signal?: AbortSignal,
    ): Promise<AuditReport[]> {
      const body = { additionalOptions: asked };
      const timeoutMs = Math.max(AUDIT_MS, http.address.timeoutMs);
      const answer = await http.ask('POST', '/api/v1/audit', { body, timeoutMs, ...(signal && { signal }) });
      return Array.isArray(answer) ? [] : Object.values(z.record(z.string(), reportShape).parse(answer));
    },
    insights: async (query: { startDate?: string; endDate?: string; projectId?: string }, signal?: AbortSignal) =>
      insightsShape.parse(await http.ask('GET', '/api/v1/insights/summary', { query, ...(signal && { signal }) })),
  };
}
