// Why n8n does not run a workflow, and what to do about it. `label` names the workflow.

export const archived = (label: string): string =>
  `${label} is archived. n8n_archive_workflow with "archived": false brings it back.`;

export const unpublished = (label: string): string => `${label} is not published. n8n_publish_workflow publishes it.`;

/** n8n lost the webhook of a published workflow. `said` is what n8n answered. */
export const unregistered = (label: string, said?: string): string =>
  `${label} is published, but n8n does not know its webhook${said === undefined ? '.' : `: ${said}`} Publish it again with n8n_unpublish_workflow and n8n_publish_workflow.`;

export const RUNNER_REFUSES = 'The runner that Sluice generated in n8n refuses the call: its credential was changed.';
