import { describe, expect, it } from 'vitest';
import { flow, node } from '../../../../test/validation/case.ts';
import { tinyCatalogue } from '../../../../test/validation/tiny-catalogue.ts';
import type { Origin } from '../../../nodes/catalogue.ts';
import { validateWorkflow } from '../../validate.ts';
import { unknownNodeType } from './unknown-node-type.ts';

function said(type: string, origin: Partial<Origin> = {}) {
  const workflow = flow([node('A', type, 1)]);
  const { findings } = validateWorkflow(workflow, tinyCatalogue(origin), {}, [unknownNodeType]);
  return findings.map(({ severity, message }) => `${severity}: ${message}`);
}

describe('a node of a community package', () => {
  it('is an error if the installed packages are known', () => {
    expect(said('n8n-nodes-else.thing', { from: 'instance' })).toEqual([
      expect.stringMatching(/^error: .*not installed on this n8n.*n8n-nodes-else/),
    ]);
  });

  it('is a warning if only the nodes of n8n itself are known', () => {
    expect(said('n8n-nodes-else.thing', { from: 'packages' })).toEqual([
      expect.stringMatching(/^warning: .*not one of n8n's own.*n8n-nodes-else/),
    ]);
  });

  it('is reported as unchecked, not unknown, if its description is broken', () => {
    const broken = [{ name: 'n8n-nodes-else.thing', reason: 'no properties' }];
    expect(said('n8n-nodes-else.thing', { from: 'instance', broken })).toEqual([
      expect.stringMatching(/^warning: .*no properties.*not checked/),
    ]);
  });
});

describe('a type that does not exist', () => {
  it('gets a suggestion from the package', () => {
    expect(said('tiny.stepp')).toEqual([expect.stringContaining('"tiny.step"')]);
  });

  it('gets no suggestion if it is longer than any name', () => {
    expect(said(`tiny.${'s'.repeat(100_000)}`)[0]?.length).toBeLessThan(300);
  });
});
