import { known } from '../../modules/known.ts';
import { presets } from '../../modules/presets/built-in.ts';
import { knownKeys } from '../../kernel/input-words.ts';
import { didYouMean, nearestNames, sentences, shown } from '../../kernel/nearest-names.ts';
import { analyse } from '../expressions/analysis.ts';
import type { Path } from './finding.ts';
import { misfits } from './fitting.ts';
import { createNear } from './near.ts';
import type { Report } from './report.ts';
import type { Action, Definition, Step } from './shape.ts';
import { enclosedIn, statementKind } from './statement.ts';
import { partsOf, textsIn } from './texts.ts';
import type { KnownTool, World } from './world.ts';

type ToolAction = Extract<Action, { kind: 'tool' }>;

/** The services a definition needs are there, and every tool exists and takes its arguments. */
export function checkTools(definition: Definition, world: World, report: Report): void {
  const near = createNear(() => world.toolNames());
  for (const [index, source] of definition.needs.entries())
    if (!world.sources().has(source))
      report.error(
        ['needs', index],
        `${shown(source, 60)} has no tools now`,
        configure(source) ?? sourcesOf(source, world),
      );
  for (const [index, step] of definition.steps.entries()) {
    const path: Path = ['steps', index];
    if (step.work.kind === 'tool') checkTool(step.work, path, { definition, step, world, near, report });
    if (step.undo?.kind === 'tool') checkTool(step.undo, [...path, 'undo'], { definition, step, world, near, report });
  }
}

interface Around {
  readonly definition: Definition;
  readonly step: Step;
  readonly world: World;
  near(tool: string): readonly string[];
  readonly report: Report;
}

function checkTool(action: ToolAction, path: Path, { definition, step, world, near, report }: Around): void {
  const { tool: name, arguments: given } = action;
  // Known without the tool: a definition for another gateway is checked for this, too.
  checkStatements(world.tool(name)?.name ?? name, given, [...path, 'arguments'], report);
  if (name.includes('${')) return;
  const tool = world.tool(name);
  if (!tool) {
    const wanted = definition.wants.find((source) => name.startsWith(`${source}_`) && !world.sources().has(source));
    if (wanted !== undefined && step.when !== undefined) return;
    const optional =
      wanted === undefined ? '' : `${wanted} is only wanted: skip the step with a "when" that uses services.`;
    report.error(
      [...path, 'tool'],
      `there is no tool ${shown(name)}`,
      sentences(missing(name, { world, near }), optional),
    );
    return;
  }
  if (tool.isForPeople)
    report.error(
      [...path, 'tool'],
      `a run may not call ${tool.name}: people deploy and decide`,
      'To run another blueprint, write a step with blueprint: NAME.',
    );
  if (tool.name === name) return checkArguments(tool, given, [...path, 'arguments'], report);
  // Under a former name, the arguments of that time are right, too.
  const asWarning: Report = { error: report.warning, warning: report.warning };
  checkArguments(tool, given, [...path, 'arguments'], asWarning);
}

function checkArguments(tool: KnownTool, given: object, path: Path, report: Report): void {
  if (tool.declaresConfirm && Object.hasOwn(given, 'confirm'))
    report.error([...path, 'confirm'], 'is not for blueprints', 'Remove it: deploying confirms all steps at once.');
  for (const misfit of misfits(tool.inputSchema, given))
    report.error(
      [...path, ...misfit.path],
      `does not fit ${tool.name}: ${misfit.message.replace(/\.$/, '')}`,
      misfit.fix ?? `Write what ${tool.name} takes.`,
    );
  const known = expected(tool.inputSchema);
  const others = known ? Object.keys(given).filter((key) => !known.includes(key)) : [];
  for (const key of others.slice(0, MOST_UNKNOWN)) {
    const fix = knownKeys([key], known ?? []);
    report.warning([...path, key], `${tool.name} does not mention it`, `${fix || 'Remove it'}.`);
  }
}

/** The names of the arguments, if the schema does not refuse others, but most likely just does not say so. */
function expected(schema: Readonly<Record<string, unknown>>): readonly string[] | undefined {
  const { properties } = schema;
  if (OPEN.some((word) => Object.hasOwn(schema, word)) || typeof properties !== 'object' || !properties)
    return undefined;
  return Object.keys(properties);
}

const MOST_UNKNOWN = 20;
const OPEN = ['additionalProperties', 'patternProperties', 'unevaluatedProperties', 'anyOf', 'oneOf', 'allOf', '$ref'];

function missing(name: string, { world, near }: Pick<Around, 'world' | 'near'>): string {
  const why = world.absence?.(name);
  if (why !== undefined) return why;
  const suggested = near(name);
  const module = [...known.keys(), ...presets.keys()]
    .filter((one) => name.startsWith(`${one}_`) && !world.sources().has(one))
    .sort((a, b) => b.length - a.length)[0];
  return sentences(
    (module === undefined ? undefined : configure(module)) ?? '',
    didYouMean(suggested, module === undefined ? 'Correct its name, or add the server that has it.' : ''),
  );
}

const configure = (source: string): string | undefined =>
  known.has(source) || presets.has(source) ? `Configure modules.${source} in sluice.yaml.` : undefined;

const sourcesOf = (source: string, world: World): string =>
  didYouMean(nearestNames(source, world.sources()), 'Configure it in sluice.yaml, or correct its name.');

/** Values in a statement could change what it does: they belong into its parameters. */
function checkStatements(tool: string, given: object, path: Path, report: Report): void {
  for (const { text, path: inner } of textsIn(given, [])) {
    const key = inner.findLast((part) => typeof part === 'string' && statementKind(part, tool));
    if (key === undefined || !text.includes('${')) continue;
    const isSql = statementKind(String(key), tool) === 'sql';
    const parts = partsOf(text);
    const loose = parts.find((part) => part.kind === 'expression' && !(isSql && isIdent(part.source)));
    if (loose?.kind === 'expression')
      report.error(
        [...path, ...inner],
        `\${${shown(loose.source, 60)}} would become a part of the statement`,
        `Put values into params. ${isSql ? 'For names of tables and schemas write ${ident(…)}.' : 'Write names out.'}`,
      );
    const enclosed = loose ? undefined : enclosedIn(parts);
    if (enclosed?.kind === 'expression')
      report.error(
        [...path, ...inner],
        `\${${shown(enclosed.source, 60)}} stands in quotes or in a comment, and could end it`,
        'Write ${ident(…)} without quotes around it. Put values into params.',
      );
  }
}

function isIdent(source: string): boolean {
  const found = analyse(source);
  // What cannot be read is reported by the check of expressions.
  return 'problem' in found || found.isIdent;
}
