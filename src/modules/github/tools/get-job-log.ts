import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Progress } from '../../../kernel/progress.ts';
import { type Job, job } from '../api/actions.ts';
import { some } from '../api/fields.ts';
import { known } from '../lenient.ts';
import { few } from '../few.ts';
import type { GitHub, Question } from '../connection.ts';
import { duringFailures, fittingLines, isTrouble, lastLines, linesFrom, logText } from '../logs/kept-lines.ts';
import { type LogLine, linesOf } from '../logs/log-lines.ts';
import { shortened } from '../../shown.ts';
import { orSay } from '../refusal.ts';
import { githubTool, inRepo, repoInput } from '../tool.ts';

/** Bytes for the names of steps. */
const ROOM = 300;

const input = z.strictObject({
  repo: repoInput,
  job: z.int().min(1).describe('Id of the job, from github_get_run'),
  only: z
    .enum(['all', 'failed_step', 'errors'])
    .default('all')
    .describe('failed_step: what the step that failed wrote; errors: lines that tell of one'),
  contains: z.string().min(1).max(200).optional().describe('Only lines with this text, in any case'),
  lines: z.int().min(1).max(500).default(60).describe('The last ones, or the first ones after from'),
  from: z.int().min(1).optional().describe('Number of the first line. Default: the end of the log'),
});

export const getJobLog = githubTool({
  name: 'github_get_job_log',
  title: 'Get the log of a job',
  description: 'Reads the log of a job of GitHub Actions: its end, a part, the step that failed, or only errors.',
  phrases: 'log of a job; why did CI fail; error message of the build; last lines of the log; output of a workflow',
  effect: 'read',
  input,
  output: z.object({
    job: z.string(),
    status: z.string(),
    conclusion: z.string().optional(),
    failed_steps: z.array(z.string()).optional(),
    log: z.string().describe('Each line begins with its number'),
    total_lines: z.int().optional().describe('Of the whole log, if it was read to its end'),
    matched_lines: z.int().optional(),
    next_from: z.int().optional().describe('Call again with this as from, for what comes after'),
  }),
  async run(given, github, { signal }, progress) {
    const question = { signal, progress };
    const found = await github.json(job, inRepo(given.repo, 'actions', 'jobs', String(given.job)), question);
    const besides = {
      job: shortened(found.name, 150),
      status: found.status,
      ...known({
        conclusion: found.conclusion,
        failed_steps: some(
          few(
            failedIn(found).map(({ name }) => name),
            ROOM,
          ),
        ),
      }),
    };
    const wants = wanted(given, found);
    const log = linesOf(counted(await read(github, given, found, question), progress));
    const room = { ...besides, total_lines: 0, matched_lines: 0, next_from: 0 };
    if (given.from !== undefined) {
      const { kept, next } = await linesFrom(log, given.from, { lines: given.lines, wants });
      const fit = fittingLines(kept, room);
      const rest = kept[fit]?.number ?? next;
      return { ...besides, log: logText(kept.slice(0, fit)), ...(rest !== undefined && { next_from: rest }) };
    }
    const { kept, matched, total } = await lastLines(log, { lines: given.lines, wants });
    const fit = fittingLines(kept.toReversed(), room);
    return {
      ...besides,
      log: logText(kept.slice(kept.length - fit)),
      total_lines: total,
      ...(matched < total && { matched_lines: matched }),
    };
  },
});

const MB = 1024 * 1024;
const REPORT_MB = 10;

/** The same pieces. A long log takes a while: the caller is told how much was read. */
async function* counted(body: AsyncIterable<Buffer>, progress: Progress): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of body) {
    const before = Math.floor(bytes / MB / REPORT_MB);
    bytes += piece.length;
    const now = Math.floor(bytes / MB / REPORT_MB);
    if (now > before) progress(now * REPORT_MB, undefined, `Read ${now * REPORT_MB} MB of the log.`);
    yield piece;
  }
}

const FAILED = new Set(['failure', 'timed_out', 'cancelled']);

const failedIn = ({ steps }: Job) => (steps ?? []).filter(({ conclusion }) => FAILED.has(conclusion ?? ''));

function wanted({ only, contains }: z.output<typeof input>, found: Job): (line: LogLine) => boolean {
  const during = only === 'failed_step' ? duringFailures(found.steps ?? []) : () => true;
  if (only === 'failed_step' && failedIn(found).length === 0)
    throw new AppError('invalid_input', `No step of the job ${found.name} failed. Leave only out to read its log.`);
  const text = contains?.toLowerCase();
  return (line) =>
    during(line) &&
    (only !== 'errors' || isTrouble(line)) &&
    (text === undefined || line.text.toLowerCase().includes(text));
}

async function read(
  github: GitHub,
  { repo, job: id }: z.output<typeof input>,
  found: Job,
  question: Pick<Question, 'signal' | 'progress'>,
): Promise<AsyncIterable<Buffer>> {
  const path = inRepo(repo, 'actions', 'jobs', String(id), 'logs');
  const { body } = await orSay(github.stream(path, question), ({ status }) => {
    if (status === 410)
      return new AppError(
        'not_found',
        `The log of the job ${found.name} has expired: GitHub keeps logs for a limited time, 90 days unless the repository says otherwise. Run it again with github_rerun_run.`,
      );
    if (status === 404 && found.status !== 'completed')
      return new AppError(
        'not_found',
        `The job ${found.name} is ${found.status}: GitHub has its log when it has completed. github_get_run shows the steps so far.`,
      );
    return undefined;
  });
  return body;
}
