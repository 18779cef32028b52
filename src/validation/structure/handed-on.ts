import { isRecord, own } from '../json/record.ts';
import type { Subject } from '../subject/subject.ts';

/**
 * n8n's editor has put it into a file or on the clipboard, or it is a template: notes, and no name of its own. On its
 * author's instance it was whole and ran; what is missing now was taken out, for whoever takes it over to fill in.
 */
export function isHandedOn({ workflow, nodes }: Pick<Subject, 'workflow' | 'nodes'>): boolean {
  const meta = own(workflow, 'meta');
  if (isRecord(meta) && typeof own(meta, 'instanceId') === 'string') return true;
  return own(workflow, 'name') === undefined && nodes.some(({ sticky }) => sticky);
}
