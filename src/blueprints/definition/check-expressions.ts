import { AppError } from '../../kernel/errors.ts';
import { didYouMean, inQuotes, nearestNames, shown } from '../../kernel/nearest-names.ts';
import { someOf } from '../../kernel/some-of.ts';
import { analyse } from '../expressions/analysis.ts';
import { templateParts } from '../expressions/template.ts';
import type { Path } from './finding.ts';
import type { Report } from './report.ts';
import type { Definition } from './shape.ts';
import { isWhole, type Template, templatesOf } from './texts.ts';

const always = ['inputs', 'steps', 'run', 'services'];

/** Reading them takes time in which nobody else is served. */
const MOST_EXPRESSIONS = 2000;
const MOST_CHARACTERS = 64 * 1024;

/**
 * Every expression can be read, and refers only to what is there when it is filled in. False if there are too many to look
 * further.
 */
export function checkExpressions(definition: Definition, report: Report): boolean {
  const ids = definition.steps.map(({ id }) => id);
  let left = MOST_EXPRESSIONS;
  let characters = MOST_CHARACTERS;
  for (const template of templatesOf(definition)) {
    const { text, path, whole } = template;
    if (whole && !isWhole(text))
      report.error(path, 'must be one expression', `Write "\${…}" with nothing before or after it.`);
    checkKeys(path, report);
    const sources = sourcesIn(template, report);
    left -= sources.length;
    for (const source of sources) characters -= source.length;
    if (left < 0 || characters < 0) {
      const most = left < 0 ? `${MOST_EXPRESSIONS}` : `${MOST_CHARACTERS / 1024} KB of them`;
      const message = `is one expression too many: a blueprint may have ${most}`;
      report.error(path, message, 'Move a part of it to a blueprint of its own, and call that one.');
      return false;
    }
    for (const source of sources) {
      const found = analyse(source);
      if ('problem' in found) {
        const { message } = found.problem;
        report.error(path, `\${${shown(source, 80)}}: ${message.replace(/\.$/, '')}`, 'Correct the expression.');
        continue;
      }
      checkRoots(template, found.roots, report);
      for (const name of found.inputs) {
        if (Object.hasOwn(definition.inputs, name)) continue;
        const known = Object.keys(definition.inputs);
        const listed = known.length === 0 ? 'The blueprint has no inputs.' : `The inputs are ${someOf(known, 20)}.`;
        const fix = didYouMean(inQuotes(nearestNames(name, known, 1)), `${listed} Add it to inputs.`);
        report.error(path, `there is no input "${shown(name, 60)}"`, fix);
      }
      for (const id of found.steps) if (!template.steps.has(id)) checkStep(id, ids, template, report);
    }
  }
  return true;
}

function checkKeys(path: Path, report: Report): void {
  const at = path.findIndex((part) => typeof part === 'string' && part.includes('${'));
  if (at === -1) return;
  report.warning(
    path.slice(0, at + 1),
    'is a name, and nothing is filled in there',
    'Give the whole map as one expression: "${{inputs.name: 1}}".',
  );
}

function sourcesIn({ text, path }: Template, report: Report): string[] {
  try {
    return templateParts(text).flatMap((part) => (part.kind === 'expression' ? [part.source] : []));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    report.error(path, error.message.replace(/ Write [^]*$/, ''), 'Close it with }, or write $${ for a plain ${.');
    return [];
  }
}

function checkRoots({ path, more }: Template, roots: ReadonlySet<string>, report: Report): void {
  for (const root of roots) {
    const known = [...always, ...more];
    if (known.includes(root)) continue;
    const near = didYouMean(inQuotes(nearestNames(root, known, 1)), `Known here: ${known.join(', ')}.`);
    const fix = path.at(-1) === 'when' ? `when is decided once, before for_each. ${near}` : near;
    report.error(path, `"${shown(root, 60)}" means nothing here`, fix);
  }
}

function checkStep(id: string, ids: readonly string[], { path, steps }: Template, report: Report): void {
  const own = path[0] === 'steps' ? ids[Number(path[1])] : undefined;
  if (id === own) {
    report.error(path, `the step "${id}" uses its own result`, 'Use the result of a step before it.');
    return;
  }
  if (ids.includes(id)) {
    report.error(path, `the step "${id}" comes later`, 'Move that step before this one.');
    return;
  }
  const fix = didYouMean(
    inQuotes(nearestNames(id, steps, 1)),
    steps.size === 0 ? 'No step comes before this one.' : `Steps before it: ${someOf([...steps], 20)}.`,
  );
  report.error(path, `there is no step "${shown(id, 60)}"`, fix);
}
