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

/** Each safe fix has a row in test/validation/safe-fixes.ts, which is tested with a real n8n. */
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
  /** One for all purposes, or one for each. The rule does not run for a missing purpose. */
  readonly severity: Severity | Partial<Record<Purpose, Severity>>;
  /** Rules that would report the same cause again. Their findings at the same path are dropped. */
  readonly supersedes?: readonly string[];
  /** It stops the whole workflow, even at a node that would never run. */
  readonly stopsAll?: true;
}

/** `validateWorkflow` adds the rule's id and severity. A rule may lower the severity of a doubtful case. */
export type Report<F extends Fix = LikelyFix> = (
  finding: Omit<Finding, 'rule' | 'severity' | 'fix'> & { severity?: Severity; fix?: F },
) => void;
