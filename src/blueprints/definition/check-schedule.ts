import { Cron } from 'croner';
import { messageOf } from '../../kernel/errors.ts';
import { someOf } from '../../kernel/some-of.ts';
import type { Report } from './report.ts';
import type { Definition } from './shape.ts';

/** The schedule comes due, at most once a minute. */
export function checkSchedule({ schedule, inputs }: Definition, report: Report): void {
  if (schedule === undefined) return;
  const fix = 'Write five parts: minute, hour, day of the month, month, weekday, such as "0 2 * * *".';
  const problem = cronProblem(schedule.trim());
  if (problem !== undefined) report.error(['schedule'], `is not a schedule: ${problem}`, fix);
  const open = Object.entries(inputs).flatMap(([name, schema]) => (Object.hasOwn(schema, 'default') ? [] : [name]));
  if (open.length > 0)
    report.warning(
      ['schedule'],
      `runs it without anybody who gives ${someOf(open)}`,
      'Give these inputs a default, or give them when you deploy it.',
    );
}

function cronProblem(schedule: string): string | undefined {
  const parts = schedule.split(/\s+/).length;
  if (!schedule.startsWith('@') && parts !== 5) return `it has ${parts} ${parts === 1 ? 'part' : 'parts'}`;
  if (schedule.length > 200) return 'it is too long';
  try {
    const cron = new Cron(schedule, { paused: true });
    return cron.nextRun() === null ? 'it never comes due' : undefined;
  } catch (error) {
    return messageOf(error)
      .replace(/^CronPattern: /, '')
      .replace(/\.$/, '');
  }
}
