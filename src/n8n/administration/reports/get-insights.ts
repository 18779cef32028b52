import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { momentOf } from '../../../kernel/moment.ts';
import { n8nTool } from '../../tool.ts';
import { destinationProject } from '../projects/known-projects.ts';
import { projectInput } from '../projects/project-input.ts';

const metric = z.object({
  value: z.number(),
  change: z.number().optional().describe('Difference to the period of the same length before'),
});

const DAY_MS = 86_400_000;

export const getInsights = n8nTool({
  name: 'n8n_get_insights',
  title: 'Insights',
  description:
    'Counts the production runs of an n8n over a time: how many, how many failed, average duration and minutes saved, each compared with the time before. Default: the last 7 days.',
  effect: 'read',
  phrases:
    'insights; how many executions did we have this week; failure rate of n8n; time saved by automation; average run time; are there more failures than last week; statistics of the last days; usage numbers of n8n; how busy was n8n; return on investment of our workflows; production executions per week; trend of failures; report for the management',
  tags: ['insights'],
  input: {
    from: z.string().max(40).optional().describe('ISO time or 7d. Default: 7d'),
    to: z.string().max(40).optional().describe('ISO time or 1d. Default: now'),
    project: projectInput.optional().describe('Only of this project, by id or name'),
  },
  output: z.object({
    from: z.string(),
    to: z.string(),
    project: z.string().optional(),
    runs: metric,
    failed: metric,
    failure_rate: metric.describe('0 to 1'),
    minutes_saved: metric.describe('As set in the workflows'),
    average_ms: metric.describe('Average duration'),
  }),
  async run({ from, to, project: wanted }, { client }, { signal }) {
    const end = to === undefined ? new Date() : momentOf(to);
    const start = from === undefined ? new Date(end.getTime() - 7 * DAY_MS) : momentOf(from);
    if (start > end) throw new AppError('invalid_input', '"from" is after "to".');
    const project = wanted === undefined ? undefined : await destinationProject(client, wanted, signal);
    const query = {
      // Left out, n8n takes the last 7 days, which every licence allows.
      ...(from !== undefined && { startDate: start.toISOString() }),
      ...(to !== undefined && { endDate: end.toISOString() }),
      ...(project && { projectId: project.id }),
    };
    const { total, failed, failureRate, timeSaved, averageRunTime } = await client.reports.insights(query, signal);
    return {
      from: start.toISOString(),
      to: end.toISOString(),
      ...(project && { project: project.name ?? project.id }),
      runs: shown(total),
      failed: shown(failed),
      failure_rate: shown(failureRate),
      minutes_saved: shown(timeSaved),
      average_ms: shown(averageRunTime),
    };
  },
});

const shown = ({ value, deviation }: { value: number; deviation?: number | null | undefined }) => ({
  value,
  ...(typeof deviation === 'number' && { change: deviation }),
});
