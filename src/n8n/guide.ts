/** The best ways to work with n8n, for models: see `ToolSource.guide`. */
export const n8nGuide: readonly string[] = [
  'Begin with `n8n_get_overview`: what is live, failing and waiting, and what to look at first.',
  'n8n saves every change as a draft: the live version stays as it was until you publish, with `"publish": true` in the same call or `n8n_publish_workflow {id}`.',
  'Build a workflow: `search_nodes` for each step, `get_node_details` for the nodes you pick (copy their n8n.fragment), then `n8n_create_workflow {name, nodes, connections}`. It is validated before it is saved.',
  'Change one: `n8n_get_workflow {id}`, then `n8n_edit_workflow {id, operations}` with small operations. A backup is taken first; `n8n_restore_workflow {workflow: id}` undoes the last change.',
  'Find out why one failed: `n8n_list_failures`, then `n8n_get_execution {id}`. After the fix, `n8n_retry_execution {id}`.',
  'Run one: `n8n_execute_workflow {id, data}` waits for its result. Test a draft with pinned data: `n8n_test_workflow {id, pin_data}`.',
];
