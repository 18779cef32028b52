import { gzipSync } from 'node:zlib';
import type { Node, Workflow } from '../client/shapes.ts';
import { tarOf } from './tar.ts';

/** The keys of a node that n8n accepts in a package. An ordinary save adds the others later. */
const NODE_KEYS: ReadonlySet<string> = new Set([
  'id',
  'name',
  'type',
  'typeVersion',
  'position',
  'parameters',
  'credentials',
  'disabled',
  'notes',
  'notesInFlow',
  'continueOnFail',
  'retryOnFail',
  'maxTries',
  'waitBetweenTries',
  'alwaysOutputData',
  'executeOnce',
  'onError',
  'webhookId',
]);

/**
 * A workflow as a package for n8n's import, the only way to bring a workflow back under its old id. Same format as n8n's
 * own export, but made from a backup, because the workflow no longer exists.
 */
export function workflowPackage(workflow: Workflow, now: Date): Buffer {
  const { id, name, connections, settings } = workflow;
  const target = 'workflows/restored';
  const manifest = {
    packageFormatVersion: '1',
    exportedAt: now.toISOString(),
    sourceN8nVersion: '2.0.0',
    sourceId: 'sluice',
    workflows: [{ id, name, target }],
  };
  const content = {
    id,
    name,
    nodes: workflow.nodes.map(packed),
    connections,
    settings: settings ?? {},
    parentFolderId: null,
    isArchived: false,
  };
  const metadata = { versionId: workflow.versionId ?? '', publishedVersionId: null };
  return gzipSync(
    tarOf([
      { name: 'manifest.json', text: JSON.stringify(manifest) },
      { name: `${target}/workflow.json`, text: JSON.stringify(content) },
      { name: `${target}/workflow-metadata.json`, text: JSON.stringify(metadata) },
    ]),
  );
}

function packed(node: Node): Record<string, unknown> {
  const known = Object.entries(node).filter(([key, value]) => NODE_KEYS.has(key) && value !== null);
  return { typeVersion: 1, position: [0, 0], ...Object.fromEntries(known) };
}
