import type { Path } from './finding.ts';
import type { Report } from './report.ts';
import type { Definition, Work } from './shape.ts';

const reserved: ReadonlySet<string> = new Set(['inputs', 'steps', 'run', 'services', 'event', 'index']);
/** Words that expressions cannot use as a name. */
const keywords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

/** What a plan shows must be what is called: names are written out. */
export function checkLiterals({ steps }: Definition, report: Report): void {
  for (const [index, { work, undo, as }] of steps.entries()) {
    const path: Path = ['steps', index];
    checkNames(work, path, report);
    if (undo) checkNames(undo, [...path, 'undo'], report);
    if (reserved.has(as))
      report.error([...path, 'as'], `"${as}" already has a meaning in expressions`, 'Choose another name.');
    else if (keywords.has(as))
      report.error([...path, 'as'], `"${as}" is a word of the expression language`, 'Choose another name.');
  }
}

function checkNames(work: Work, path: Path, report: Report): void {
  const names: readonly (readonly [string, string | undefined])[] =
    work.kind === 'tool'
      ? [['tool', work.tool]]
      : work.kind === 'workflow'
        ? [
            ['workflow', work.workflow],
            ['instance', work.instance],
          ]
        : work.kind === 'webhook'
          ? [['instance', work.instance]]
          : [];
  for (const [key, name] of names)
    if (name?.includes('${'))
      report.error(
        [...path, key],
        'must be written out, without ${…}',
        'Write one step for each that may be meant, with a "when".',
      );
}
