import { listing } from '../../kernel/listed-tool.ts';
import * as blueprints from '../listed.json' with { type: 'json' };
import * as recipes from './listed.json' with { type: 'json' };

/** Calls about Sluice itself, which nobody wants to repeat. `(unknown)` stands for tools that do not exist. */
const others = ['gateway_status', 'gateway_usage', 'get_events', '(unknown)'];

const left: ReadonlySet<string> = new Set([
  ...[...listing(blueprints), ...listing(recipes)].map(({ name }) => name),
  ...others,
]);

/** Whether calls of this tool can become a part of a recipe. */
export const isRepeatable = (tool: string): boolean => !left.has(tool);
