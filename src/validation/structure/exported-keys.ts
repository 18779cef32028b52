import { readWorkflow } from '../subject/read-workflow.ts';
import { isRecord, own, type Rec } from '../json/record.ts';

/** Keys that n8n adds to a workflow in exports and replies, and refuses when you save it. */
export const exportedKeys: ReadonlySet<string> = new Set([
  'id',
  'active',
  'isArchived',
  'createdAt',
  'updatedAt',
  'versionId',
  'activeVersion',
  'activeVersionId',
  'versionCounter',
  'sourceWorkflowId',
  'triggerCount',
  'meta',
  'tags',
  'homeProject',
  'sharedWithProjects',
  'parentFolder',
  'usedCredentials',
  'scopes',
  'checksum',
  'issues',
  'hash',
]);

/** The same in a node. */
export const exportedNodeKeys: ReadonlySet<string> = new Set([
  'issues',
  'createdAt',
  'updatedAt',
  'color',
  'draggable',
  'extendsCredential',
  'cid',
  'creator',
]);

/**
 * An exported workflow without the keys that n8n added, ready to save. Returns input that cannot be read unchanged.
 * Nothing else changes, so the paths of findings stay valid.
 */
export function withoutExportedKeys(document: unknown): { document: unknown; dropped: string[] } {
  const { workflow, problems } = readWorkflow(document);
  if (!workflow || problems.length > 0) return { document, dropped: [] };
  const inNodes = new Set<string>();
  const nodes = own(workflow, 'nodes');
  const clean = (node: unknown): unknown => {
    const extra = isRecord(node) ? Object.keys(node).filter((key) => exportedNodeKeys.has(key)) : [];
    if (extra.length === 0) return node;
    for (const key of extra) inNodes.add(`nodes[].${key}`);
    return Object.fromEntries(Object.entries(node as Rec).filter(([key]) => !exportedNodeKeys.has(key)));
  };
  const kept = Object.fromEntries(Object.entries(workflow).filter(([key]) => !exportedKeys.has(key)));
  return {
    document: Array.isArray(nodes) ? { ...kept, nodes: nodes.map(clean) } : kept,
    dropped: [...Object.keys(workflow).filter((key) => exportedKeys.has(key)), ...inNodes],
  };
}
