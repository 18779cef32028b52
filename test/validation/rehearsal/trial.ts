import type { Purpose } from '../../../src/validation/finding.ts';
import type { World } from '../../../src/validation/subject/subject.ts';

/**
 * A workflow as a stranger would try it. These were written from the description of what a validator has to find,
 * without a look at the rules: they say which node is at fault and how gravely, not by which rule. A rule is mended when
 * it misses one of them; a trial is never bent to a rule.
 */
export interface Trial {
  readonly name: string;
  readonly workflow: unknown;
  /** The node that has to be named, or a JSON Pointer to the fault; a sound one has none. */
  readonly at?: string;
  /** What the message has to speak of, so that a finding for another reason does not count. */
  readonly about?: RegExp;
  /** n8n itself fails over it, or it does not do what is written: an error is no exaggeration. */
  readonly orError?: true;
  readonly purpose?: Purpose;
  readonly world?: World;
}
