import type { Finding, Fix, LikelyFix, Purpose, Severity } from './finding.ts';
import type { Subject } from './subject/subject.ts';

export const ruleGroups = [
  'structure',
  'parameters',
  'connections',
  'expressions',
  'webhooks',
  'credentials',
  'lint',
  'suggestions',
] as const;

export type RuleGroup = (typeof ruleGroups)[number];

export type Rule = RuleFrame & (FixesSafely | FixesOnRequest);

/** Each of its safe fixes has a row in test/validation/safe-fixes.ts, which the real n8n is asked about. */
interface FixesSafely {
  readonly fixesSafely: true;
  check(subject: Subject, report: Report<Fix>): void;
}

interface FixesOnRequest {
  readonly fixesSafely?: never;
  check(subject: Subject, report: Report): void;
}

interface RuleFrame {
  /** Stable, kebab-case: `unknown-node-type`. */
  readonly id: string;
  readonly group: RuleGroup;
  /** One sentence for the table in the docs. */
  readonly title: string;
  /** One for all purposes, or one each; a purpose that is left out is not checked. */
  readonly severity: Severity | Partial<Record<Purpose, Severity>>;
  /** Rules that would name the same cause a second time: at a place where this one speaks, they keep silent. */
  readonly supersedes?: readonly string[];
  /** n8n holds it against the whole workflow, even at a node that would never run. */
  readonly stopsAll?: true;
}

/** The frame adds the rule's id and severity; a rule may lower the severity for a doubtful case. */
export type Report<F extends Fix = LikelyFix> = (
  finding: Omit<Finding, 'rule' | 'severity' | 'fix'> & { severity?: Severity; fix?: F },
) => void;
