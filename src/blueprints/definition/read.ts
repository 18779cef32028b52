import { findingsOf, valueAt } from '../../host/config/schema-problems.ts';
import { isTree } from '../../host/config/tree.ts';
import { readYaml } from './document.ts';
import { type Finding, type Path, pathText, type Position } from './finding.ts';
import { keyProblems } from './kinds.ts';
import { rawDefinition } from './schema.ts';
import type { Definition } from './shape.ts';
import { shaped } from './shaped.ts';
import { betterFix } from './surprises.ts';

export interface ReadDefinition {
  /** Only if there are no errors. */
  readonly definition?: Definition;
  /** The name that the text gives itself, even if the rest of it is broken. */
  readonly name?: string;
  readonly findings: readonly Finding[];
  /** Where a path of a finding is written. */
  place(path: string): Position | undefined;
}

const MOST_FINDINGS = 100;

/** Reads the YAML or JSON of a blueprint, and reports everything that is wrong with its shape at once. */
export function readDefinition(text: string): ReadDefinition {
  const { value, name: called, findings: unreadable, place } = readYaml(text);
  const named = typeof called === 'string' ? { name: called } : {};
  const broken = (findings: readonly Finding[]): ReadDefinition => ({
    ...named,
    findings: capped(findings),
    place,
  });
  if (unreadable.length > 0) return broken(unreadable);
  if (!isTree(value))
    return broken([
      {
        severity: 'error',
        path: '',
        line: 1,
        column: 1,
        message: 'is not a map of keys',
        fix: 'Start with name: and steps:.',
      },
    ]);
  const keys = keyProblems(value);
  const parsed = rawDefinition.safeParse(value);
  const meant = new Set(keys.flatMap((one) => (one.meant ? [pathText(one.meant)] : [])));
  const shape = parsed.success
    ? []
    : findingsOf(parsed.error.issues, rawDefinition, value).map((finding) => {
        const path = finding.path as Path;
        return { path, message: finding.message, fix: betterFix(path, valueAt(value, path)) ?? finding.fix };
      });
  const wrong = [
    ...keys,
    ...shape.filter(({ path, message }) => message !== 'is missing' || !meant.has(pathText(path))),
  ];
  const found = [
    ...wrong.map((one) => ({ ...one, severity: 'error' as const })),
    ...repeatedIds(value),
    ...idle(value),
  ];
  const findings = found
    .map(
      ({ severity, path, message, fix }): Finding => ({
        severity,
        path: pathText(path),
        ...place(pathText(path)),
        message,
        fix,
      }),
    )
    .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
  if (!parsed.success || findings.some(({ severity }) => severity === 'error')) return broken(findings);
  return { definition: shaped(parsed.data), ...named, findings, place };
}

function capped(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= MOST_FINDINGS) return findings;
  const message = `has ${findings.length - MOST_FINDINGS} more problems`;
  return [
    ...findings.slice(0, MOST_FINDINGS),
    { severity: 'error', path: '', message, fix: 'Correct the others first.' },
  ];
}

interface Found {
  readonly severity: Finding['severity'];
  readonly path: Path;
  readonly message: string;
  readonly fix: string;
}

const stepsOf = (raw: Readonly<Record<string, unknown>>): readonly unknown[] =>
  Array.isArray(raw.steps) ? raw.steps : [];

function repeatedIds(raw: Readonly<Record<string, unknown>>): Found[] {
  const first = new Map<string, number>();
  return stepsOf(raw).flatMap((step, index): Found[] => {
    if (!isTree(step) || typeof step.id !== 'string') return [];
    const before = first.get(step.id);
    if (before === undefined) {
      first.set(step.id, index);
      return [];
    }
    const message = `"${step.id.slice(0, 40)}" is already the id of step ${before + 1}`;
    return [{ severity: 'error', path: ['steps', index, 'id'], message, fix: 'Give each step an id of its own.' }];
  });
}

/** Keys that have no effect as they are. */
function idle(raw: Readonly<Record<string, unknown>>): Found[] {
  return stepsOf(raw).flatMap((step, index): Found[] => {
    if (!isTree(step) || step.for_each !== undefined || step.approval !== undefined || step.wait !== undefined)
      return [];
    return ['as', 'parallel']
      .filter((key) => Object.hasOwn(step, key))
      .map((key) => ({
        severity: 'warning',
        path: ['steps', index, key],
        message: `"${key}" does nothing without for_each`,
        fix: 'Add for_each, or remove it.',
      }));
  });
}
