import { z } from 'zod';

/** A parameter in the older form: an entry of the list `parameters`. */
export interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default_value?: unknown;
  readonly description: string;
  readonly enum_values?: readonly (string | number | boolean)[];
  readonly validation_pattern?: string;
  readonly shown_when?: string;
  readonly min?: number;
  readonly max?: number;
  readonly options_left?: number;
  readonly fields?: readonly string[];
  readonly modes?: readonly string[];
  readonly form?: unknown;
}

/** A parameter in the newer form: a value in `configurations`, keyed by name. */
export interface ConfigurationForm {
  readonly type: string;
  readonly default?: unknown;
  readonly description: string;
  readonly required: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly options?: readonly (string | number | boolean)[];
  /** Number of options not shown; get_node_property shows them. */
  readonly options_left?: number;
  readonly validation_pattern?: string;
  /** The fields of a structured value. */
  readonly fields?: readonly string[];
  /** The modes of a resourceLocator. */
  readonly modes?: readonly string[];
  /** An example of how to write a value. */
  readonly form?: unknown;
  readonly shown_when?: string;
  /** Where it is in the fragment: node name and path in its parameters. */
  readonly at?: string;
}

export interface SchemaField {
  readonly type: string;
  readonly description: string;
  readonly required?: boolean;
  readonly default?: unknown;
}

export interface PortForm {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
  readonly max_connections?: number;
}

/** One parameter in both forms. `key` is its name in `configurations`. */
export interface Both {
  readonly key: string;
  readonly parameter: Parameter;
  readonly configuration: ConfigurationForm;
  /** False for nested parameters: the parent's default includes theirs. */
  readonly withDefault: boolean;
}

const field = z.object({
  type: z.string(),
  description: z.string(),
  required: z.boolean().optional(),
  default: z.unknown().optional(),
});
const port = z.object({
  name: z.string(),
  type: z.string(),
  required: z.boolean(),
  description: z.string(),
  max_connections: z.number().optional(),
});
const value = z.union([z.string(), z.number(), z.boolean()]);
const anything = z.record(z.string(), z.unknown());

const more = {
  min: z.number().optional(),
  max: z.number().optional(),
  options_left: z.number().optional().describe('Options not shown; see get_node_property'),
  fields: z.array(z.string()).optional().describe('Fields of a structured value'),
  modes: z.array(z.string()).optional().describe('Ways to select the resource'),
  form: z.unknown().optional().describe('How to write a value'),
};

/** The answer of get_node_details for one node. */
export const nodeSpec = z.object({
  node_type: z.string(),
  subtype: z.string(),
  version: z.string().optional(),
  description: z.string().optional(),
  parameters: z
    .array(
      z.object({
        name: z.string(),
        type: z.string(),
        required: z.boolean(),
        default_value: z.unknown().optional(),
        description: z.string(),
        enum_values: z.array(value).optional(),
        validation_pattern: z.string().optional(),
        shown_when: z.string().optional(),
        ...more,
      }),
    )
    .optional(),
  configurations: z
    .record(
      z.string(),
      z.object({
        type: z.string(),
        default: z.unknown().optional(),
        description: z.string(),
        required: z.boolean(),
        options: z.array(value).optional(),
        validation_pattern: z.string().optional(),
        ...more,
        shown_when: z.string().optional(),
        at: z.string().optional().describe('Where it is in the fragment'),
      }),
    )
    .optional(),
  input_params_schema: z.record(z.string(), field).optional(),
  output_params_schema: z.record(z.string(), field).optional(),
  default_configurations: anything.optional(),
  default_input_params: anything.optional(),
  default_output_params: anything.optional(),
  input_ports: z.array(port).optional(),
  output_ports: z.array(port).optional(),
  tags: z.array(z.string()).optional(),
  attached_nodes: z.array(z.string()).optional(),
  resources: z.array(value).optional(),
  operations: z.array(value).optional().describe('Of this resource'),
  chosen: anything.optional().describe('The resource and operation whose parameters these are'),
  credentials: z.array(z.string()).optional(),
  guidance: z.string().optional(),
  n8n: z
    .object({
      type: z.string(),
      typeVersion: z.number(),
      fragment: z
        .object({ nodes: z.array(anything), connections: anything })
        .optional()
        .describe('Put it into a workflow unchanged'),
    })
    .optional(),
  examples: z.array(anything).optional(),
  parameters_left: z.number().optional().describe('Parameters left for the cursor'),
  hidden_parameters: z.number().optional().describe('Shown with other settings: get_node_property, or detail full'),
  warning: z.string().optional(),
  error: z.string().optional(),
  suggestions: z.array(z.string()).optional(),
});

export type NodeSpec = z.input<typeof nodeSpec>;
