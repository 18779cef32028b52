import { z } from 'zod';

/** A parameter in the older form, one of a list. */
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

/** A parameter in the newer form, below its name. */
export interface ConfigurationForm {
  readonly type: string;
  readonly default?: unknown;
  readonly description: string;
  readonly required: boolean;
  readonly min?: number;
  readonly max?: number;
  readonly options?: readonly (string | number | boolean)[];
  /** How many further options there are: get_node_property shows them. */
  readonly options_left?: number;
  readonly validation_pattern?: string;
  /** What a structured value consists of. */
  readonly fields?: readonly string[];
  /** The ways in which a resourceLocator says what is meant. */
  readonly modes?: readonly string[];
  /** How a value is written. */
  readonly form?: unknown;
  readonly shown_when?: string;
  /** Where it stands in the fragment: the node's name and the path in its parameters. */
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

/** One parameter in both forms, under the name by which the newer one is found. */
export interface Both {
  readonly key: string;
  readonly parameter: Parameter;
  readonly configuration: ConfigurationForm;
  /** Not for what stands inside another: its default is part of that one's. */
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
  options_left: z.number().optional().describe('Further options: get_node_property shows them'),
  fields: z.array(z.string()).optional().describe('What a structured value consists of'),
  modes: z.array(z.string()).optional().describe('Ways to say which one is meant'),
  form: z.unknown().optional().describe('How a value is written'),
};

/** What get_node_details says of one node. */
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
        at: z.string().optional().describe('Where it stands in the fragment'),
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
        .describe('To be put into a workflow as it stands'),
    })
    .optional(),
  examples: z.array(anything).optional(),
  parameters_left: z.number().optional().describe('Parameters that follow by cursor'),
  hidden_parameters: z.number().optional().describe('Shown with other settings: get_node_property, or detail full'),
  warning: z.string().optional(),
  error: z.string().optional(),
  suggestions: z.array(z.string()).optional(),
});

export type NodeSpec = z.input<typeof nodeSpec>;
