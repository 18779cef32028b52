/** Newer versions of Prometheus stop there; answers of older ones are cut. */
export const MOST_SERIES = 10_000;

/** `count` series were found, and only some are shown. */
export const moreSeries = (shown: number, count: number): string =>
  `${shown} of ${count >= MOST_SERIES ? `at least ${MOST_SERIES}` : count} series are shown. Select fewer with labels, or aggregate: topk(10, …), sum by (label) (…), count(…).`;

export const NO_SERIES =
  'No series match. prometheus_list_metrics finds names, prometheus_explain_metric shows the labels of one.';
