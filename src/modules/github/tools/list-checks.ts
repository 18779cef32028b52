import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { allPages } from '../all-pages.ts';
import { checkRuns, combinedStatus } from '../api/checks.ts';
import { known } from '../lenient.ts';
import { verdictOf } from '../check-summary.ts';
import { pageOf } from '../page.ts';
import { cursorInput, githubTool, inRepo, limitInput, moreOutput, refInput, repoInput, slashed } from '../tool.ts';

const TOOL = 'github_list_checks';
const MOST_STATUSES = 8;
const WORST_FIRST = ['failed', 'pending', 'passed'];

const checkOutput = z.object({
  name: z.string(),
  verdict: z.enum(['passed', 'failed', 'pending']),
  conclusion: z.string().optional(),
  app: z.string().optional(),
  job: z.int().optional().describe('For github_get_job_log'),
  summary: z.string().optional(),
  url: z.string().optional(),
});

export const listChecks = githubTool({
  name: TOOL,
  title: 'List checks',
  description: 'Lists the checks and statuses of a branch, tag or commit, with the jobs behind them.',
  phrases: 'checks of a commit; is the build green; CI status of a branch; which check failed',
  effect: 'read',
  input: z.strictObject({
    repo: repoInput,
    ref: refInput.describe('Branch, tag or commit'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    checks: z.array(checkOutput),
    total: z.int().describe('Check runs'),
    statuses: z.array(checkOutput).optional().describe('Of older integrations, the worst first; on the first page'),
    ...moreOutput,
  }),
  async run({ cursor, ...asked }, github, { signal }, progress) {
    const commit = inRepo(asked.repo, 'commits', ...slashed(asked.ref));
    const all =
      cursor === undefined
        ? await allPages(
            github,
            { type: combinedStatus, path: [...commit, 'status'], items: (answer) => answer.statuses },
            { signal, progress },
          )
        : [];
    const statuses = all
      .map((one) => ({
        name: shortened(one.context, 100),
        verdict: verdictOf(one),
        ...(one.description && { summary: shortened(one.description, 80) }),
      }))
      .sort((a, b) => WORST_FIRST.indexOf(a.verdict) - WORST_FIRST.indexOf(b.verdict))
      .slice(0, MOST_STATUSES);
    const { items, more, answer } = await pageOf(
      github,
      { tool: TOOL, asked, cursor },
      {
        type: checkRuns,
        path: [...commit, 'check-runs'],
        items: ({ check_runs }) => check_runs,
        shape: (one) => ({
          name: shortened(one.name, 150),
          verdict: verdictOf(one),
          ...known({
            conclusion: one.conclusion,
            app: one.app?.slug,
            // A check of GitHub Actions has the id of its job.
            job: one.app?.slug === 'github-actions' ? one.id : undefined,
            summary: one.output?.title ? shortened(one.output.title, 150) : undefined,
            url: one.html_url,
          }),
        }),
        besides: { statuses, total: 0 },
      },
      { signal, progress },
    );
    return { checks: items, total: answer.total_count, ...(statuses.length > 0 && { statuses }), ...more };
  },
});
