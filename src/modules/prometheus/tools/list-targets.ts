import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { type Target, targetsAnswer } from '../answers.ts';
import { maskedText } from '../masked.ts';
import { matcherOf } from '../matching.ts';
import { paged } from '../../paged.ts';
import { metricOutput, shownLabels } from '../shown-series.ts';
import { cursorInput, cursorOutput, patternInput, prometheusTool } from '../tool.ts';

const targetOutput = z.object({
  job: z.string(),
  instance: z.string().optional(),
  health: z.string(),
  url: z.string().optional(),
  last_error: z.string().optional(),
  last_scrape: z.string().optional(),
  scrape_ms: z.number().optional(),
  labels: metricOutput.optional(),
});

export const listTargets = prometheusTool({
  name: 'prometheus_list_targets',
  title: 'List targets',
  description:
    'What Prometheus scrapes: state of each target, its last error, and how long a scrape takes. Targets with problems come first.',
  phrases:
    'which targets are down; scrape targets; why is prometheus not scraping my service; last scrape error; is the exporter reachable; what does prometheus monitor',
  effect: 'read',
  input: z.strictObject({
    state: z.enum(['up', 'down', 'unknown', 'dropped']).optional().describe('dropped: removed by relabelling'),
    job: patternInput.describe('Part of the name of the job, or a glob'),
    cursor: cursorInput,
  }),
  output: z.object({
    counts: z.record(z.string(), z.number()).describe('Targets by state'),
    targets: z.array(targetOutput),
    cursor: cursorOutput,
  }),
  async run({ state, job, cursor }, prometheus, { signal }) {
    const dropped = state === 'dropped';
    const params = { state: dropped ? 'dropped' : 'active' };
    const { data } = await prometheus.ask(targetsAnswer, '/api/v1/targets', { params, signal });
    const fits = matcherOf(job);
    const all: Target[] = dropped
      ? data.droppedTargets.map(({ discoveredLabels: labels }) => ({
          labels,
          scrapeUrl: '',
          health: 'dropped',
          lastError: '',
        }))
      : data.activeTargets;
    const ofJob = all.filter((target) => fits(jobOf(target)));
    const counts = Object.fromEntries(
      [...Map.groupBy(ofJob, ({ health }) => health)].map(([health, { length }]) => [shortened(health, 50), length]),
    );
    const wanted = ofJob
      .filter(({ health }) => state === undefined || health === state)
      .sort((a, b) => rank(a) - rank(b) || compare(jobOf(a), jobOf(b)));
    const asked = { state, job };
    const { page, next } = paged(wanted, shown, {
      list: 'prometheus_list_targets',
      asked,
      cursor,
      besides: { counts },
    });
    return { counts, targets: page, ...next };
  },
});

const jobOf = ({ labels, scrapePool }: Target): string => labels.job ?? scrapePool ?? '';
const rank = ({ health }: Target): number => (health === 'up' ? 1 : 0);
const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

function shown(target: Target): z.output<typeof targetOutput> {
  const { job: _, instance, ...labels } = target.labels;
  const { scrapeUrl, lastError, lastScrape, lastScrapeDuration } = target;
  return {
    job: shortened(jobOf(target), 200),
    ...(instance !== undefined && { instance: shortened(instance, 200) }),
    health: shortened(target.health, 50),
    ...(scrapeUrl !== '' && { url: shortened(maskedText(scrapeUrl), 300) }),
    ...(lastError !== '' && { last_error: shortened(maskedText(lastError), 500) }),
    ...(lastScrape !== undefined && !lastScrape.startsWith('0001') && { last_scrape: lastScrape.slice(0, 40) }),
    ...(lastScrapeDuration !== undefined && { scrape_ms: Math.round(lastScrapeDuration * 1e6) / 1000 }),
    ...(Object.keys(labels).length > 0 && { labels: shownLabels(labels, 600) }),
  };
}
