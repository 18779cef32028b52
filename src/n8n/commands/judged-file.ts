import { isDeepStrictEqual } from 'node:util';
import { fixLines } from '../validation/fix-lines.ts';
import type { Catalogue } from '../../nodes/catalogue.ts';
import { withoutExportedKeys } from '../../validation/structure/exported-keys.ts';
import type { Finding, PatchOperation, Purpose } from '../../validation/finding.ts';
import { type Fixable, fixWorkflow } from '../../validation/fixes/fix-workflow.ts';
import { positionsIn, type Region } from '../../validation/json/json-positions.ts';
import { patchedText } from '../../validation/json/json-text-edit.ts';
import { readWorkflow } from '../../validation/subject/read-workflow.ts';
import { type RuleSwitches, type ValidationReport, validateWorkflow } from '../../validation/validate.ts';
import type { World } from '../../validation/subject/subject.ts';
import { refIn } from '../as-code/references.ts';
import type { WorkflowFile } from './workflow-files.ts';

/** The findings of one workflow, from a file or from n8n. */
export interface Judged {
  /** For people: the file, or the workflow's name. */
  readonly title: string;
  readonly uri: string;
  /** For programs, besides the findings. */
  readonly about: Readonly<Record<string, unknown>>;
  readonly report: ValidationReport;
  region(finding: Finding): Region | undefined;
  /** What safe fixes would change, or have changed. */
  readonly changes: readonly string[];
}

export interface Judgement {
  readonly catalogue: Catalogue;
  readonly purpose: Purpose;
  readonly rules: RuleSwitches;
  /** Rules whose likely fixes to apply too. */
  readonly also?: readonly string[];
}

/** With `fix`, applies the safe fixes first, judges the result and returns the fixed `text`. */
export function judgeFile(
  { file, uri, text, document, at, beside }: WorkflowFile,
  { catalogue, ...judgement }: Judgement,
  fix: boolean,
): { judged: Judged; text: string } {
  const options = beside ? inFolder(judgement, beside) : judgement;
  const fixed = fix ? fixWorkflow(document, catalogue, options) : undefined;
  const report = fixed ? fixed.after : validateWorkflow(asJudged(document, options.purpose), catalogue, options);
  const isFixed = fixed !== undefined && fixed.applied.length > 0;
  const now = isFixed ? rewritten(text, at, fixed.document, patchIn(document, at, fixed.applied)) : text;
  const judged = {
    title: at === '' ? file : `${file} ${at}`,
    uri,
    about: { file, ...(at !== '' && { at }) },
    report,
    region: regionsOf(now, at, report.findings),
    changes: fixed ? fixLines(document, fixed.workflow, fixed.applied) : [],
  };
  return { judged, text: now };
}

/**
 * In a folder that `sluice n8n push` writes to n8n, files name credentials without ids, and other workflows by their
 * files.
 */
function inFolder(judgement: Omit<Judgement, 'catalogue'>, beside: ReadonlySet<string>) {
  const world: World = {
    workflow(id) {
      const ref = refIn(id);
      if (!('file' in ref)) return undefined;
      return beside.has(ref.file) ? { name: ref.file, isPublished: true } : 'missing';
    },
  };
  return { ...judgement, world, rules: { 'credential-without-id': 'off' as const, ...judgement.rules } };
}

/** Tools that save a workflow accept an export, so its extra keys are not judged. */
const asJudged = (document: unknown, purpose: Purpose): unknown =>
  purpose === 'save' ? withoutExportedKeys(document).document : document;

/** The fixes as operations on the file. */
function patchIn(document: unknown, at: string, applied: readonly Fixable[]): PatchOperation[] {
  const reading = readWorkflow(document);
  const base = `${at}${reading.workflow ? reading.at : ''}`;
  return applied.flatMap(({ fix }) => fix.patch.map((one) => ({ ...one, path: `${base}${one.path}` })));
}

/** The position of each finding in the text; for invalid JSON, the position of the syntax error. */
function regionsOf(text: string, at: string, findings: readonly Finding[]): Judged['region'] {
  const bare = text.startsWith('\uFEFF') ? text.slice(1) : text;
  let document: unknown;
  try {
    document = JSON.parse(bare) as unknown;
  } catch (error) {
    const [, line, column] = /line (\d+) column (\d+)/.exec((error as Error).message) ?? [];
    const position = { line: Number(line ?? 1), column: Number(column ?? 1) };
    return () => ({ start: position, end: { line: position.line, column: position.column + 1 } });
  }
  const inner = at === '' ? document : (document as unknown[])[Number(at.slice(1))];
  const reading = readWorkflow(inner);
  const base = `${at}${reading.workflow ? reading.at : ''}`;
  const regions = positionsIn(
    bare,
    findings.map(({ path }) => `${base}${path}`),
  );
  return ({ path }) => regions.get(`${base}${path}`);
}

/** The text with the fixes. Everything else keeps its formatting if possible. */
function rewritten(text: string, at: string, document: unknown, patch: readonly PatchOperation[]): string {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  const bare = text.slice(mark.length);
  const whole = at === '' ? document : (JSON.parse(bare) as unknown[]).with(Number(at.slice(1)), document);
  const edited = patchedText(bare, patch);
  if (edited !== undefined && isDeepStrictEqual(parsed(edited), whole)) return `${mark}${edited}`;
  const indent = /\n([ \t]+)\S/.exec(bare)?.[1] ?? '';
  const end = /\r?\n$/.exec(bare)?.[0] ?? '';
  return `${mark}${JSON.stringify(whole, null, indent)}${end}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
