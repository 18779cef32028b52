import type { Purpose } from '../../../src/validation/finding.ts';
import type { World } from '../../../src/validation/subject/subject.ts';

/**
 * A workflow as an outsider would try it. These were written from a description of what a validator must find, without
 * looking at the rules: they say which node is wrong and how severe it is, but not which rule reports it. If a rule misses
 * one, fix the rule. Never adapt a trial to a rule.
 */
export interface Trial {
  readonly name: string;
  readonly workflow: unknown;
  /** The node that the finding must name, or a JSON Pointer to the error; undefined for a valid workflow. */
  readonly at?: string;
  /** The message must match this, so that a finding for another reason does not count. */
  readonly about?: RegExp;
  /** n8n itself fails, or does not do what the workflow says: an error is fine, too. */
  readonly orError?: true;
  readonly purpose?: Purpose;
  readonly world?: World;
}
