/**
 * The order of the test files: the slowest start first, so that none of them runs alone at the end. Vitest takes this
 * from its last run, but a fresh clone, as in CI, has none.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that took more than half a minute, in seconds. A missing or wrong entry breaks nothing. */
const seconds = new Map([
  ['test/e2e/conformance.test.ts', 119],
  ['test/integration/n8n/kill-during-update.test.ts', 99],
  ['test/integration/n8n/many.test.ts', 94],
  ['test/e2e/n8n-local.test.ts', 90],
  ['test/integration/n8n/killed-in-mid-run.test.ts', 68],
  ['test/integration/bridge/restart.test.ts', 67],
  ['test/integration/bridge/mishaps.test.ts', 65],
  ['test/e2e/npm-package.test.ts', 60],
  ['test/integration/bridge/rights.test.ts', 57],
  ['test/e2e/n8n-events.test.ts', 53],
  ['test/integration/n8n/running.test.ts', 46],
  ['test/integration/validation/create-agrees.test.ts', 45],
  ['test/integration/validation/safe-fixes.test.ts', 44],
  ['test/integration/bridge/instances.test.ts', 43],
  ['test/integration/bridge/loops.test.ts', 38],
  ['test/e2e/cli.test.ts', 36],
  ['test/integration/n8n-local/keep.test.ts', 35],
  ['test/integration/n8n/trying.test.ts', 35],
  ['test/integration/protocol/deliveries.test.ts', 34],
  ['test/integration/nodes/fragments.test.ts', 33],
  ['test/e2e/bridge.test.ts', 33],
]);

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config;
    // The rest in vitest's order, but files without isolation (unit tests) last: they are short and fill the end.
    const rank = ({ moduleId, project }: TestSpecification) =>
      seconds.get(relative(root, moduleId)) ?? (project.config.isolate ? 0 : -1);
    return (await super.sort(files)).sort((one, other) => rank(other) - rank(one));
  }
}
