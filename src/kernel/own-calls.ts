import { globMatcher } from './glob.ts';
import { holdsScope, type Principal } from './principal.ts';

/** The calls of one principal on some tools. */
export interface OwnCalls {
  readonly principal: string;
  /** Globs over exposed names. */
  readonly tools: readonly string[];
}

/**
 * What a principal may know about calls: its own calls on its tools, if it is limited to some. Undefined for everyone
 * else, who may know all calls.
 */
export function ownCalls(principal: Principal): OwnCalls | undefined {
  const { id, tools } = principal;
  return tools && !holdsScope(principal, 'admin') ? { principal: id, tools } : undefined;
}

/** Whether a call is among them. Without limits, every call is. */
export function isAmong(own: OwnCalls | undefined): (call: { tool: string; principal: string }) => boolean {
  if (!own) return () => true;
  const fits = globMatcher(own.tools);
  return ({ tool, principal }) => principal === own.principal && fits(tool);
}
