import { firstLine, table } from '../../cli/table.ts';
import { isOpen } from '../runs/run.ts';
import type { RunView } from '../service/run-view.ts';

/** How a run goes, for a person: a line, a table of its steps, what it waits for and what to do. */
export function runLines(view: RunView, width?: number): string[] {
  const { run, state, progress, steps, more_steps: more, waits, outputs, error } = view;
  const rows = steps.map(({ step, state: how, undo, ms, attempts, items, error: wrong, note }) => [
    step,
    undo === undefined ? how : undo === 'done' ? 'undone' : `undo ${undo}`,
    ms === undefined ? '' : spanOf(ms),
    firstLine(
      [
        ...(attempts === undefined ? [] : [`${attempts} attempts.`]),
        ...(items
          ? [
              Object.entries(items)
                .map(([of, count]) => `${count} ${of}`)
                .join(', '),
            ]
          : []),
        wrong ?? note ?? '',
      ].join(' '),
    ),
  ]);
  return [
    `${run}: ${state}, ${progress.done} of ${progress.total} steps${tookIn(view)}`,
    ...table([['step', 'state', 'took', 'note'], ...rows], width),
    ...(more === undefined ? [] : [`… and ${more} more steps`]),
    ...(waits ? [`Waits for ${wordsFor(waits)}`] : []),
    ...(waits?.arguments === undefined ? [] : [`With ${firstLine(asText(waits.arguments))}`]),
    ...(error === undefined ? [] : [`Error: ${firstLine(error)}`]),
    ...Object.entries(outputs ?? {}).map(([name, value]) => `${firstLine(name)}: ${firstLine(asText(value))}`),
  ];
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function tookIn({ created_at: from, ended_at: until }: RunView): string {
  return until === undefined ? '' : `, ${spanOf(Date.parse(until) - Date.parse(from))}`;
}

function wordsFor({ for: what, step, question, reason, until, runs = [] }: NonNullable<RunView['waits']>): string {
  const end = until === undefined ? '' : ` until ${until}`;
  if (what === 'approval') return `a person to decide about ${step}${end}: ${firstLine(question ?? '')}`;
  if (what === 'rights') return `somebody with the rights for ${step}: ${firstLine(reason ?? '')}`;
  if (what === 'blueprint') return `${runs.join(', ')} in the step ${step}`;
  return `${what === 'time' ? 'the time' : what === 'event' ? 'an event' : 'the next try'} in the step ${step}${end}`;
}

/** What can be done about a run now, with the words of the command line. */
export function waysOn({ run, state, waits, next }: RunView): string[] {
  const say = (verb: string, rest: string) => `\`sluice blueprint ${verb} ${run}${rest}`;
  if (waits?.for === 'approval')
    return [`${say('approve', ` ${waits.step}\``)} lets it go on; --refuse makes the step fail.`];
  if (waits?.for === 'rights') return [`${say('resume', '`')} goes on with your rights.`];
  if (state === 'unknown')
    return [
      `Find out whether the step took effect, then ${say('resume', ' --unknown done`')} or --unknown repeat, or ${say('undo', '`')}.`,
    ];
  if (state === 'failed' && next?.includes('blueprint_resume') === true)
    return [`${say('resume', '`')} tries the failed step again; ${say('undo', '`')} undoes what was done.`];
  if (!isOpen(state) && next?.includes('blueprint_undo') === true) return [`${say('undo', '`')} undoes what was done.`];
  return [];
}

/** `350 ms`, `1.2 s`, `3 min 5 s`, `2 h 4 min`, `5 d 3 h`. */
export function spanOf(ms: number): string {
  if (ms < 1000) return `${ms} ms`;
  if (ms < 60_000) return `${Math.round(ms / 100) / 10} s`;
  const units = [
    ['d', 86_400],
    ['h', 3600],
    ['min', 60],
    ['s', 1],
  ] as const;
  const seconds = Math.round(ms / 1000);
  const first = units.findIndex(([, size]) => seconds >= size);
  const [[big, size], small] = [units[first] ?? units[3], units[first + 1]] as const;
  const rest = small ? Math.floor((seconds % size) / small[1]) : 0;
  return `${Math.floor(seconds / size)} ${big}${small && rest > 0 ? ` ${rest} ${small[0]}` : ''}`;
}
