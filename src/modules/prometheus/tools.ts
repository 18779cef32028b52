import { explainMetric } from './tools/explain-metric.ts';
import { findSeries } from './tools/find-series.ts';
import { getLabelValues } from './tools/get-label-values.ts';
import { getStatus } from './tools/get-status.ts';
import { listAlerts } from './tools/list-alerts.ts';
import { listLabels } from './tools/list-labels.ts';
import { listMetrics } from './tools/list-metrics.ts';
import { listRules } from './tools/list-rules.ts';
import { listTargets } from './tools/list-targets.ts';
import { query } from './tools/query.ts';
import { queryRange } from './tools/query-range.ts';

export const prometheusTools = [
  query,
  queryRange,
  listMetrics,
  explainMetric,
  listLabels,
  getLabelValues,
  findSeries,
  listTargets,
  listAlerts,
  listRules,
  getStatus,
];
