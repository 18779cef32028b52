import type { N8nHttp } from './http.ts';

/** n8n unpacks and checks a package before it answers. */
const IMPORT_MS = 120_000;

export function packagesOf(http: N8nHttp) {
  return {
    /** Creates the workflow of a package under its own id. Fails if that id exists. */
    async import(bytes: Buffer, signal?: AbortSignal): Promise<void> {
      const body = new FormData();
      body.set('package', new Blob([new Uint8Array(bytes)]), 'workflow.n8np');
      body.set('workflowConflictPolicy', 'fail');
      body.set('workflowIdPolicy', 'source');
      body.set('workflowPublishingPolicy', 'unpublish-all');
      body.set('missingNodeTypeMode', 'import-anyway');
      await http.ask('POST', '/api/v1/n8n-packages/import', {
        body,
        timeoutMs: Math.max(IMPORT_MS, http.address.timeoutMs),
        ...(signal && { signal }),
      });
    },
  };
}
