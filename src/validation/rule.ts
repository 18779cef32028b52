import type { Finding, Purpose, Severity } from './finding.ts';
import type { Subject } from './subject.ts';

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

export interface Rule {
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
  check(subject: Subject, report: Report): void;
}

/** The frame adds the rule's id and severity; a rule may lower the severity for a doubtful case. */
export type Report = (finding: Omit<Finding, 'rule' | 'severity'> & { severity?: Severity }) => void;
