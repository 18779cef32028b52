import { isRecord, own } from '../json/record.ts';
import type { Subject } from '../subject/subject.ts';

/**
 * The workflow comes from someone else: n8n's editor exported it, or it is a template (it has notes and no name). It was
 * complete and ran on its author's instance. Missing values were removed for the next user to fill in.
 */
export function isHandedOn({ workflow, nodes }: Pick<Subject, 'workflow' | 'nodes'>): boolean {
  const meta = own(workflow, 'meta');
  if (isRecord(meta) && typeof own(meta, 'instanceId') === 'string') return true;
  return own(workflow, 'name') === undefined && nodes.some(({ sticky }) => sticky);
}
