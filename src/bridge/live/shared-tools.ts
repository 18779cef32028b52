import { z } from 'zod';
import { isTooDeep } from '../../wire/jsonrpc.ts';

/** Of tools that are listed by name. Every client reads all of them. */
const MOST = 1000;

const tool = z
  .looseObject({
    name: z.string().min(1).max(128).describe('Name of the tool in n8n: letters, digits, _ and -'),
    node: z.string().optional().describe('Id of the node'),
    type: z.string().optional().describe('Type of the node, for example @n8n/n8n-nodes-langchain.toolCalculator'),
    description: z.string().optional().describe('What the tool is for'),
    inputSchema: z.record(z.string(), z.unknown()).optional().describe('JSON Schema of its arguments, if known'),
    disabled: z.boolean().optional(),
  })
  .describe('A node that is connected as a tool (ai_tool)');

const workflow = z.looseObject({
  id: z.string().min(1).max(64),
  name: z.string(),
  updatedAt: z.string().nullish(),
  versionId: z.string().nullish().describe('Version of the draft'),
  activeVersionId: z.string().nullish().describe('Published version'),
  isArchived: z.boolean().default(false),
  availableInMCP: z.boolean().default(false),
  tags: z.array(z.string()).default([]),
  tools: z.array(tool).default([]),
});

const namedTool = tool.extend({
  workflow: z.string().optional().describe('Id or name of its workflow, if several have a tool of this name'),
});

const byWorkflow = z.looseObject({
  version: z.literal(1),
  instance: z.string().default('default').describe("Name of the n8n in Sluice's configuration"),
  writtenAt: z.string().optional(),
  workflows: z.array(workflow),
  tools: z.array(namedTool).max(MOST).default([]).describe('AI tools by name alone, wherever they are in n8n'),
});

/** The shared file: the AI tools of an n8n, by workflow, or only a list of them. */
const sharedToolsShape = z
  .union([byWorkflow, z.array(namedTool).max(MOST)])
  .describe('AI tools of an n8n, as shared with Sluice at TOOLS_SHARED_PATH');

export type SharedTools = z.output<typeof byWorkflow>;

/** Parses the file, or throws an error that says what is wrong with it. */
export function parseSharedTools(text: string): SharedTools {
  let given: unknown;
  try {
    // Some editors begin a file with a byte order mark.
    given = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw new Error('it is not JSON');
  }
  if (isTooDeep(given)) throw new Error('it is nested too deeply');
  const parsed = byWorkflow.safeParse(inOneForm(given));
  if (!parsed.success) {
    const [first] = parsed.error.issues;
    throw new Error(`${first?.path.join('.') || 'the whole'}: ${first?.message}`);
  }
  const ids = new Set(parsed.data.workflows.map(({ id }) => id));
  if (ids.size < parsed.data.workflows.length) throw new Error('two of its workflows have the same id');
  return parsed.data;
}

/** A list of tools, also as `tools/list` returns it, and as the libraries of agents spell its schemas. */
function inOneForm(given: unknown): unknown {
  const { tools, version } = (Array.isArray(given) ? { tools: given } : (given ?? {})) as Record<string, unknown>;
  if (!Array.isArray(tools)) return given;
  const spelt = tools.map((tool: unknown) => {
    if (typeof tool !== 'object' || tool === null) return tool;
    // Many programs write null for what is absent.
    const given = Object.fromEntries(Object.entries(tool).filter(([, value]) => value !== null));
    const { schema, parameters, workflowId, ...rest } = given;
    const [inputSchema, workflow] = [rest.inputSchema ?? schema ?? parameters, rest.workflow ?? workflowId];
    return { ...rest, ...(inputSchema !== undefined && { inputSchema }), ...(workflow !== undefined && { workflow }) };
  });
  const rest = Array.isArray(given) || version === undefined ? { version: 1 } : (given as object);
  return { workflows: [], ...rest, tools: spelt };
}

/** JSON Schema of the file, for programs that write it. */
export function sharedToolsSchema(): Record<string, unknown> {
  return z.toJSONSchema(sharedToolsShape, { io: 'input' });
}
