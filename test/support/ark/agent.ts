/**
 * A stand-in for ARK's executor (0.1.69-rc, `executors/completions`), with a script in place of the model: it answers a
 * Query with the tools of an Agent. Each query has a connection of its own.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { type Connected, connectAsArk } from './connect.ts';
import type { Controller, Tool } from './controller.ts';
import type { Agent, Query } from './schema.ts';

/** What a model may call: a function for each tool of the Agent. */
interface Offered {
  readonly name: string;
  readonly description: string;
  readonly parameters: { readonly properties?: Readonly<Record<string, { readonly type?: string }>> };
}

interface Chosen {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The answer of the agent. Fails as ARK does: a tool of the Agent that has no Tool object ends the query. */
export async function answer(ark: Controller, agent: Agent, { spec }: Query): Promise<string> {
  const { target, input } = spec;
  if (target.type !== 'agent' || target.name !== agent.metadata.name)
    throw new Error(`target references Agent ${target.name}, which does not exist`);
  const tools = new Map((agent.spec.tools ?? []).map(({ name }) => [name, toolNamed(ark, name)]));
  const chosen = chooseCalculator(
    [...tools].map(
      ([
        name,
        {
          spec: { description, inputSchema },
        },
      ]) => ({ name, description, parameters: inputSchema }),
    ),
    input,
  );
  await using connected = await connectAsArk(ark.connection());
  const { toolName } = (tools.get(chosen.name) as Tool).spec.mcp;
  const result = await callWithRetries(connected, toolName, chosen.arguments);
  return result.content.map((part) => (part.type === 'text' ? part.text : JSON.stringify(part))).join('');
}

function toolNamed(ark: Controller, name: string): Tool {
  const tool = ark.tools.get(name);
  if (!tool) throw new Error(`failed to get tool ${name}: tools.ark.mckinsey.com "${name}" not found`);
  return tool;
}

/** The script: it reads names, descriptions and schemas as a model would, and takes the sum out of the question. */
function chooseCalculator(offered: readonly Offered[], question: string): Chosen {
  const tool = offered.find(({ name, description }) => /calculat/i.test(`${name} ${description}`));
  if (!tool) throw new Error(`No tool can calculate: ${offered.map(({ name }) => name).join(', ')}`);
  const parameter = Object.entries(tool.parameters.properties ?? {}).find(([, { type }]) => type === 'string')?.[0];
  if (parameter === undefined) throw new Error(`${tool.name} takes no text.`);
  const sum = /[\d(][\d\s+*/().-]*\d\)?/.exec(question)?.[0];
  return { name: tool.name, arguments: { [parameter]: sum } };
}

const MOST_ATTEMPTS = 3;
const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 4000;

async function callWithRetries(
  { client, answered }: Connected,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<CallToolResult> {
  for (let attempt = 1; ; attempt++) {
    try {
      return (await client.callTool({ name, arguments: { ...given } })) as CallToolResult;
    } catch (error) {
      const { status = 0, retryAfter = 0 } = answered;
      const isTransient = status >= 500 || [408, 425, 429].includes(status);
      if (attempt === MOST_ATTEMPTS || !isTransient) throw error;
      const backoffMs = Math.max(FIRST_BACKOFF_MS * 2 ** (attempt - 1), retryAfter * 1000);
      await delay(Math.min(backoffMs, LONGEST_BACKOFF_MS));
    }
  }
}
