import type { Catalogue } from '../../nodes/catalogue.ts';
import { applyPatch } from './apply-fix.ts';
import type { Finding, Fix, PatchOperation } from '../finding.ts';
import { readWorkflow } from '../subject/read-workflow.ts';
import { type ValidationOptions, type ValidationReport, validateWorkflow } from '../validate.ts';

/** One fix can make another possible. No real workflow needs more rounds. */
const MOST_ROUNDS = 8;

export type Fixable = Finding & { readonly fix: Fix };

export interface Fixed {
  /** The input with the fixes, in its wrapper; JSON text is parsed. The same object if nothing was fixed. */
  readonly document: unknown;
  /** The workflow inside. */
  readonly workflow: Readonly<Record<string, unknown>> | undefined;
  readonly applied: readonly Fixable[];
  readonly before: ValidationReport;
  readonly after: ValidationReport;
}

export interface FixOptions extends ValidationOptions {
  /** Ids of rules whose likely fixes to apply, too. */
  readonly also?: readonly string[] | undefined;
}

/**
 * Applies all safe fixes, and the likely fixes that you ask for. Does not change its input. Discards a round that adds
 * errors.
 */
export function fixWorkflow(given: unknown, catalogue: Catalogue, { also = [], ...options }: FixOptions = {}): Fixed {
  const before = validateWorkflow(given, catalogue, options);
  let state = { document: given, report: before, applied: [] as readonly Fixable[] };
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const next = fixedOnce(state.document, state.report, also);
    if (!next) break;
    const report = validateWorkflow(next.document, catalogue, options);
    if (report.counts.error > state.report.counts.error) break;
    state = { document: next.document, report, applied: [...state.applied, ...next.applied] };
  }
  const { document, report: after, applied } = state;
  return { document, workflow: readWorkflow(document).workflow, applied, before, after };
}

/** Whether the fix may be applied without a request. */
export function isSafelyFixable(finding: Finding): finding is Fixable {
  return finding.fix?.safe === true && finding.fix.patch.length > 0;
}

function fixedOnce(document: unknown, { findings }: ValidationReport, also: readonly string[]) {
  const reading = readWorkflow(document);
  // Do not write back a workflow that was not read completely.
  if (!reading.workflow || reading.problems.length > 0) return undefined;
  const { at } = reading;
  const isAskedFor = ({ rule, fix }: Finding) => fix !== undefined && also.includes(rule);
  let wanted = apart(findings.filter((one): one is Fixable => isSafelyFixable(one) || isAskedFor(one)));
  while (wanted.length > 0) {
    const copy = structuredClone(
      typeof document === 'string' ? (JSON.parse(withoutMark(document)) as unknown) : document,
    );
    const misfit = wanted.find(
      ({ fix }) =>
        !applyPatch(
          copy,
          fix.patch.map((one) => inside(at, one)),
        ),
    );
    if (!misfit) return { document: copy, applied: wanted };
    // Part of it may be applied: start again without it.
    wanted = wanted.filter((one) => one !== misfit);
  }
  return undefined;
}

const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text);

const inside = (at: string, operation: PatchOperation): PatchOperation => ({
  ...operation,
  path: `${at}${operation.path}`,
});

/** Fixes that do not conflict: of two at one place, or in a list that one of them shortens, the second one waits. */
function apart(findings: readonly Fixable[]): Fixable[] {
  const taken = new Set<string>();
  const around = new Set<string>();
  return findings.filter(({ fix }) => {
    const places = fix.patch.map(claimOf);
    const free = places.every((place) => !around.has(place) && prefixesOf(place).every((one) => !taken.has(one)));
    if (!free) return false;
    for (const place of places) {
      taken.add(place);
      for (const prefix of prefixesOf(place)) around.add(prefix);
    }
    return true;
  });
}

/** The place that an operation affects: adding to or removing from a list shifts the rest of it. */
function claimOf({ op, path }: PatchOperation): string {
  return op !== 'replace' && /\/(?:\d+|-)$/.test(path) ? path.slice(0, path.lastIndexOf('/')) : path;
}

/** The place itself and everything around it. */
function prefixesOf(place: string): string[] {
  const prefixes = [place];
  for (let end = place.lastIndexOf('/'); end >= 0; end = place.lastIndexOf('/', end - 1)) {
    prefixes.push(place.slice(0, end));
    if (end === 0) break;
  }
  return prefixes;
}
