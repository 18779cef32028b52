import { setImmediate } from 'node:timers/promises';
import { calledBy } from './check-calls.ts';
import { checkDefinition } from './check.ts';
import { type Finding, isError, pathText } from './finding.ts';
import type { Definition } from './shape.ts';
import type { World } from './world.ts';

/** Errors of the blueprints that it calls, however deep. A run does their steps, too. Each is checked once. */
export async function checkCalled(definition: Definition, world: World): Promise<readonly Finding[]> {
  const seen = new Set([definition.name]);
  const findings: Finding[] = [];
  for (const [index, { work }] of definition.steps.entries()) {
    const left = work.kind === 'blueprint' ? [work.blueprint] : [];
    for (let name = left.pop(); name !== undefined; name = left.pop()) {
      const called = seen.has(name) ? undefined : world.blueprint(name);
      seen.add(name);
      if (!called) continue;
      // A check takes milliseconds: others are served in between.
      await setImmediate();
      const error = checkDefinition(called, world).find(isError);
      if (error)
        findings.push({
          severity: 'error',
          path: pathText(['steps', index, 'blueprint']),
          message: `${name}, which it calls, has an error at ${error.path}: ${error.message}`,
          fix: `Correct ${name}. ${error.fix}`,
        });
      left.push(...calledBy(called));
    }
  }
  return findings;
}
