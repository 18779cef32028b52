import { expect, test } from 'vitest';
import { refuseOwned } from './has-own-tool.ts';

test.each([
  ['DELETE', '/api/v1/workflows/x', 'n8n_delete_workflow'],
  ['DELETE', '/api/v1/WorkFlows/x', 'n8n_delete_workflow'],
  ['PUT', '/api/v1/WORKFLOWS/x', 'n8n_update_workflow'],
  ['POST', '/api/v1/Source-Control/PULL', 'n8n_pull_source_control'],
  ['DELETE', '/api/v1/data-tables/x', 'n8n_delete_data_table'],
  ['DELETE', '/api/v1/data-tables/x/rows/delete', 'n8n_delete_rows'],
  ['DELETE', '/api/v1/data-tables/x/rows/clear', 'n8n_delete_rows'],
  ['DELETE', '/api/v1/data-tables/x/columns/y', 'n8n_update_data_table'],
])('%s %s has a tool of its own', (method, path, tool) => {
  expect(() => refuseOwned(method, path)).toThrow(`Use ${tool}`);
});

test.each([
  ['GET', '/api/v1/workflows/x'],
  ['DELETE', '/api/v1/workflows/x/tags'],
  ['PUT', '/api/v1/workflows/x/tags'],
  ['PATCH', '/api/v1/data-tables/x/columns/y'],
])('%s %s has none', (method, path) => {
  expect(() => refuseOwned(method, path)).not.toThrow();
});
