import { setImmediate } from 'node:timers/promises';
import { checkDefinition } from './check.ts';
import { type Finding, isError, pathText } from './finding.ts';
import type { Definition, Step } from './shape.ts';
import type { World } from './world.ts';

interface Call {
  readonly name: string;
  /** It may be skipped, because a source that is only wanted is absent. */
  readonly maySkip: boolean;
}

/** Errors of the blueprints that it calls, however deep. A run does their steps, too. Each is checked at most twice. */
export async function checkCalled(definition: Definition, world: World): Promise<readonly Finding[]> {
  const sources = world.sources();
  const without = definition.wants.filter((source) => !sources.has(source));
  const seen = new Set<string>();
  const findings: Finding[] = [];
  for (const [index, step] of definition.steps.entries()) {
    const left = callsIn(step, without);
    for (let call = left.pop(); call; call = left.pop()) {
      const { name, maySkip } = call;
      const key = `${maySkip} ${name}`;
      const called = name === definition.name || seen.has(key) ? undefined : world.blueprint(name);
      seen.add(key);
      if (!called) continue;
      // A check takes milliseconds: others are served in between.
      await setImmediate();
      const error = checkDefinition(maySkip ? skippable(called, without) : called, world).find(isError);
      if (error)
        findings.push({
          severity: 'error',
          path: pathText(['steps', index, 'blueprint']),
          message: `${name}, which it calls, has an error at ${error.path}: ${error.message}`,
          fix: `Correct ${name}. ${error.fix}`,
        });
      left.push(...called.steps.flatMap((one) => callsIn(one, without, maySkip)));
    }
  }
  return findings;
}

function callsIn({ work, when }: Step, without: readonly string[], maySkip = false): Call[] {
  if (work.kind !== 'blueprint') return [];
  return [{ name: work.blueprint, maySkip: maySkip || (when !== undefined && without.length > 0) }];
}

/** The called definition, all of it under a condition. */
function skippable(called: Definition, without: readonly string[]): Definition {
  return {
    ...called,
    needs: called.needs.filter((source) => !without.includes(source)),
    wants: [...called.wants, ...without],
    steps: called.steps.map((step) => ({ ...step, when: step.when ?? '${true}' })),
  };
}
