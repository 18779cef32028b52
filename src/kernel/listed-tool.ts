import { AppError } from './errors.ts';
import { late } from './late.ts';
import type { WireTool } from './source.ts';
import { type AnyTool, sameArguments, wireTool } from './tool.ts';

/** Everything about a tool but its code: plain data. */
export type ListedTool = Omit<
  AnyTool<never>,
  'aliases' | 'title' | 'description' | 'input' | 'output' | 'effectOf' | 'preview' | 'bound' | 'run'
> & {
  readonly wire: WireTool;
  /** Other names under which it takes the same arguments. */
  readonly aliases?: readonly string[];
};

export function listedTool(tool: AnyTool<never>): ListedTool {
  const { aliases = {}, title: _title, description: _description, input: _input, output: _output, ...rest } = tool;
  const { preview: _preview, bound: _bound, run: _run, effectOf: _effectOf, ...data } = rest;
  const same = Object.keys(aliases).filter((name) => aliases[name] === sameArguments);
  return { ...data, wire: wireTool(tool), ...(same.length > 0 && { aliases: same }) };
}

/** The content of a `listed.json`, which `npm run docs` writes. A test holds that it says what the code says. */
export const listing = ({ default: tools }: { readonly default: unknown }): readonly ListedTool[] =>
  tools as readonly ListedTool[];

/** The code of listed tools. The first call of any of them loads it. */
export function codeOf<Deps>(load: () => Promise<readonly AnyTool<Deps>[]>): (tool: string) => Promise<AnyTool<Deps>> {
  const tools = late(async () => new Map((await load()).map((one) => [one.name, one])));
  return async (tool) => {
    const found = (await tools()).get(tool);
    if (found) return found;
    throw new AppError('internal', `${tool} is listed, but has no code. Run npm run docs.`);
  };
}
