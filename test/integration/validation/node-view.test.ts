import { describe, expect, it } from 'vitest';
import { prepare } from '../../../src/validation/subject/prepare.ts';
import type { NodeView } from '../../../src/validation/subject/subject.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';
import { flow, node } from '../../validation/case.ts';

describe.skipIf(catalogueIsMissing)('a prepared node', () => {
  const view = (...given: Parameters<typeof node>) =>
    prepare({ workflow: flow([node(...given)]), catalogue: testCatalogue() }).nodes[0] as NodeView;
  const kinds = (ports: readonly { type: string }[] | undefined) => ports?.map(({ type }) => type);

  it('has the visible fields of its configuration, with their paths', () => {
    const fetch = view('A', 'httpRequest', 4.2, {
      url: 'https://example.com',
      sendHeaders: true,
      headerParameters: { parameters: [{ name: 'X-A', value: '=b' }] },
    });
    const places = fetch.fields().map(({ pointer }) => pointer);
    expect(places).toContain('/nodes/0/parameters/headerParameters/parameters/0/value');
    expect(places).not.toContain('/nodes/0/parameters/jsonBody');
    expect(fetch.fields().find(({ property }) => property.name === 'method')).toMatchObject({
      given: false,
      value: 'GET',
    });
    expect(fetch.expressions()).toMatchObject([{ text: '=b', property: { name: 'value' } }]);
  });

  it('has the outputs of its configuration, and an error output', () => {
    const rules = { values: [{ conditions: {} }, { conditions: {} }, { conditions: {} }] };
    expect(kinds(view('A', 'switch', 3.2, { rules }).outputs())).toEqual(['main', 'main', 'main']);
    expect(kinds(view('A', 'if', 2.2).outputs())).toEqual(['main', 'main']);
    expect(kinds(view('A', 'httpRequest', 4.2, {}, { onError: 'continueErrorOutput' }).outputs())).toEqual([
      'main',
      'main',
    ]);
    expect(kinds(view('A', 'httpRequest', 4.2, {}, { onError: 'continueRegularOutput' }).outputs())).toEqual(['main']);
    expect(kinds(view('A', 'merge', 3.2, { numberInputs: 4 }).inputs())).toHaveLength(4);
    expect(kinds(view('A', 'manualTrigger', 1).inputs())).toEqual([]);
  });

  it('has no fields if the catalogue does not know it', () => {
    const unknown = view('A', 'n8n-nodes-base.nope', 1, { a: '=b' });
    expect([unknown.fields(), unknown.inputs(), unknown.outputs()]).toEqual([[], undefined, undefined]);
    expect(unknown.expressions()).toHaveLength(1);
  });

  it('knows whether it is a trigger or a note', () => {
    expect(view('A', 'webhook', 2)).toMatchObject({ trigger: true, sticky: false });
    expect(view('A', 'stickyNote', 1)).toMatchObject({ trigger: false, sticky: true });
    expect(view('A', 'n8n-nodes-elsewhere.thingTrigger', 1)).toMatchObject({ trigger: true });
  });
});
