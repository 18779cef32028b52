import type { Gateway } from '../../gateway/gateway.ts';
import { denial } from '../../kernel/call.ts';
import type { Callable } from '../../kernel/callable.ts';
import { AppError } from '../../kernel/errors.ts';
import { shown } from '../../kernel/nearest-names.ts';
import { hasScope, type Principal } from '../../kernel/principal.ts';
import type { Instance } from '../instance.ts';
import { known } from '../known.ts';
import { presets } from '../presets/built-in.ts';
import type { ModuleAnswer } from './answers.ts';
import { needsOf } from './needs.ts';
import { toTry } from './to-try.ts';

/** What is served at the moment. */
export interface Modules {
  readonly gateway: Pick<Gateway, 'backend' | 'registry'>;
  instances(): readonly Instance[];
  /** Sections that are servers of somebody else. */
  servers(): readonly { readonly name: string; readonly type: string; readonly mode: 'read-only' | 'read-write' }[];
}

const PATIENCE_MS = 15_000;

const states = {
  RUNNING: 'ready',
  STARTING: 'starting',
  DEGRADED: 'degraded',
  FAILED: 'failing',
  STOPPED: 'off',
} as const;

/** How the services are, as far as the caller may know. */
export function lookingAt({ gateway, instances, servers }: Modules) {
  /** Those that are being asked: however many pages are open, each is asked once at a time. */
  const asked = new Map<Instance, Promise<void>>();
  /** What each service said last. */
  const said = new WeakMap<Instance, string>();

  const toolsOf = (name: string) => gateway.registry.all().filter(({ source }) => source === name);
  const seenBy = (principal: Principal) => (tool: Callable) => denial(principal, tool, 'see') === undefined;

  /** What this caller may do with it; undefined if it may not even know of it. */
  function rights(name: string, principal: Principal) {
    const all = toolsOf(name);
    const seen = all.filter(seenBy(principal));
    // Of one that fails before it has tools, the scope decides.
    const mayKnow = seen.length > 0 || (all.length === 0 && !principal.tools && hasScope(principal, `${name}:read`));
    if (!mayKnow) return undefined;
    const reads = seen.filter((tool) => tool.entry.effect === 'read' && denial(principal, tool) === undefined);
    const first = toTry(reads);
    return { tools: seen.length, checks: reads.length > 0, ...(first !== undefined && { try: first }) };
  }

  function instanceFor(instance: Instance, principal: Principal): ModuleAnswer | undefined {
    const allowed = rights(instance.name, principal);
    if (!allowed) return undefined;
    const { name, type, where, settings, about } = instance;
    const { state, since, lastError } = instance.health();
    const service = said.get(instance);
    return {
      name,
      type,
      ...(about.description !== undefined && { description: about.description }),
      state,
      mode: settings.mode,
      where,
      ...(since !== undefined && { since }),
      ...(state === 'ready' && service !== undefined && { service }),
      ...(lastError && { problem: lastError.message }),
      ...allowed,
    };
  }

  function serverFor(one: ReturnType<Modules['servers']>[number], principal: Principal): ModuleAnswer | undefined {
    const { name, type, mode } = one;
    const backend = gateway.backend(name);
    const allowed = rights(name, principal);
    if (!allowed || !backend) return undefined;
    const { tools, try: first } = allowed;
    return {
      name,
      type,
      description: presets.get(type)?.description ?? 'An MCP server',
      server: true,
      state: states[backend.state],
      mode,
      since: new Date(backend.since).toISOString(),
      ...(backend.lastError && backend.state !== 'RUNNING' && { problem: backend.lastError.message }),
      tools,
      ...(first !== undefined && { try: first }),
    };
  }

  async function absent(type: string): Promise<ModuleAnswer> {
    const { description, ...needs } = await needsOf(type);
    return { name: type, type, ...(description !== undefined && { description }), state: 'not configured', needs };
  }

  /** Asks the service, or waits for the answer that somebody else has just asked for. */
  function ask(instance: Instance): Promise<void> {
    const before = asked.get(instance);
    if (before) return before;
    const answer = instance
      .check(AbortSignal.timeout(PATIENCE_MS))
      .then(
        (text) => void said.set(instance, text),
        // Its health has the reason.
        () => {},
      )
      .finally(() => asked.delete(instance));
    asked.set(instance, answer);
    return answer;
  }

  return {
    async list(principal: Principal): Promise<ModuleAnswer[]> {
      const types = new Set([...instances().map(({ type }) => type), ...servers().map(({ type }) => type)]);
      const others = [...known.keys(), ...presets.keys()].filter((type) => !types.has(type));
      return [
        ...instances().flatMap((one) => instanceFor(one, principal) ?? []),
        ...servers().flatMap((one) => serverFor(one, principal) ?? []),
        ...(await Promise.all(others.map(absent))),
      ];
    },

    async check(name: string, principal: Principal): Promise<ModuleAnswer> {
      const instance = instances().find((one) => one.name === name);
      const before = instance && instanceFor(instance, principal);
      if (!instance || !before)
        throw new AppError('not_found', `No module ${shown(name)}. /api/v1/modules lists those that you may use.`);
      if (before.checks !== true)
        throw new AppError(
          'forbidden',
          `Your key may call no tool of ${name} that reads, so it cannot ask the service.`,
        );
      await ask(instance);
      return instanceFor(instance, principal) ?? before;
    },
  };
}
