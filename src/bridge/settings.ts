/** What the configuration says of the bridge, for one n8n. */
export interface BridgeSettings {
  enabled: boolean;
  /** Whether generated workflows wait for `sluice bridge apply`. */
  apply: 'ask' | 'auto';
  /** Workflows as tools. */
  workflows: WorkflowChoice;
  /** n8n's AI tools. */
  tools: ToolChoice;
  /** Names or ids, as globs; an empty `include` is every project. */
  projects: { include: string[]; exclude: string[] };
  /** How changes are noticed. Signed hooks are welcome in every case. */
  discovery: 'poll' | 'hook' | 'file';
  /** Milliseconds between two looks at everything. */
  poll: number;
  /** Milliseconds that a call of a bridged tool may take. */
  timeout: number;
  /** A glob over exposed names -> milliseconds, for the tools that need another time. */
  timeouts: Record<string, number>;
}

/** What decides which workflows are tools: the configuration, and what was asked for. */
export type Choosing = Pick<BridgeSettings, 'workflows' | 'tools' | 'projects'> & {
  /** Ids of workflows that `bridge apply` was told to choose. */
  readonly asked?: readonly string[];
};

export interface WorkflowChoice {
  /** The tag that makes a workflow a tool; empty for none. */
  tag: string;
  /** Ids, or globs over names: tools without a tag. */
  include: string[];
  /** Ids, or globs over names: never tools, whatever else is said. */
  exclude: string[];
  /** Whether n8n's own switch "available in MCP" makes it a tool too. */
  availableInMCP: boolean;
  /** Whether an output schema is made up from what the workflow gave before. */
  outputSchema: 'none' | 'infer';
}

export interface ToolChoice {
  /** A tag that chooses every AI tool of a workflow; empty for none. */
  tag: string;
  /** Ids, or globs over names, of workflows whose AI tools are chosen. */
  workflows: string[];
  /** Globs over the names of the tools; an empty `include` is every one. */
  include: string[];
  exclude: string[];
}
