import { blueprintTools } from '../own-source.ts';
import { recipeTools } from './own-source.ts';

/** Calls about Sluice itself, which nobody wants to repeat. `(unknown)` stands for tools that do not exist. */
const others = ['gateway_status', 'gateway_usage', 'get_events', '(unknown)'];

const left: ReadonlySet<string> = new Set([...[...blueprintTools, ...recipeTools].map(({ name }) => name), ...others]);

/** Whether calls of this tool can become a part of a recipe. */
export const isRepeatable = (tool: string): boolean => !left.has(tool);
