import type { Catalogue } from '../../nodes/catalogue.ts';
import { applyPatch } from './apply-fix.ts';
import type { Finding, Fix, PatchOperation } from '../finding.ts';
import { readWorkflow } from '../subject/read-workflow.ts';
import { type ValidationOptions, type ValidationReport, validateWorkflow } from '../validate.ts';

/** One fix can make room for the next; nothing sound goes on longer. */
const MOST_ROUNDS = 8;

export type Fixable = Finding & { readonly fix: Fix };

export interface Fixed {
  /** What was given, wrapped as it was, with the fixes (a text as what it says); the very same where there were none. */
  readonly document: unknown;
  /** The workflow in it. */
  readonly workflow: Readonly<Record<string, unknown>> | undefined;
  readonly applied: readonly Fixable[];
  readonly before: ValidationReport;
  readonly after: ValidationReport;
}

export interface FixOptions extends ValidationOptions {
  /** Ids of rules whose likely fixes are wanted, too. */
  readonly also?: readonly string[] | undefined;
}

/**
 * Applies every fix after which n8n does the same as before, and those that are asked for. What was given stays as it
 * is. A round that would make an error where there was none is not kept: a fix has to mend.
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

/** Whether this one may be applied without asking. */
export function isSafelyFixable(finding: Finding): finding is Fixable {
  return finding.fix?.safe === true && finding.fix.patch.length > 0;
}

function fixedOnce(document: unknown, { findings }: ValidationReport, also: readonly string[]) {
  const reading = readWorkflow(document);
  // What could not be read whole is not written back.
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
    // It may have been done in part: begin anew without it.
    wanted = wanted.filter((one) => one !== misfit);
  }
  return undefined;
}

const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text);

const inside = (at: string, operation: PatchOperation): PatchOperation => ({
  ...operation,
  path: `${at}${operation.path}`,
});

/** Fixes that do not meet: of two at one place, or within one list that one of them shortens, the other waits. */
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

/** What an operation may move about: adding to or taking out of a list shifts the rest of it. */
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
