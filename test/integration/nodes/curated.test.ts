import { describe, expect, it } from 'vitest';
import { AppError } from '../../../src/kernel/errors.ts';
import type { Catalogue } from '../../../src/nodes/catalogue.ts';
import { visibleProperties } from '../../../src/nodes/configuration/configuration.ts';
import { curatedCatalogue } from '../../../src/nodes/curated/catalogue.ts';
import { curatedNames } from '../../../src/nodes/curated/names.ts';
import { curatedSpecs, specFor } from '../../../src/nodes/curated/registry.ts';
import type { CuratedSpec } from '../../../src/nodes/curated/spec.ts';
import type { NodeDescription } from '../../../src/nodes/description.ts';
import { nodeDetails } from '../../../src/nodes/details/details.ts';
import type { Fragment } from '../../../src/nodes/fragments/fragment.ts';
import { nodeTypes } from '../../../src/nodes/taxonomy/taxonomy.ts';
import { catalogueIsMissing, testCatalogue } from '../../support/catalogue.ts';

/** Looks up `Chat Model: options.temperature` in the fragment. */
function found(
  fragment: Fragment,
  at: string,
): { node: string; parameter: string; below: string | undefined; value: unknown } {
  const [name = '', path = ''] = at.split(': ');
  const node = fragment.nodes.find((one) => one.name === name);
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '');
  const value = keys.reduce<unknown>(
    (inside, key) => (inside as Record<string, unknown> | undefined)?.[key],
    node?.parameters,
  );
  return { node: node?.type ?? '', parameter: keys[0] ?? '', below: keys[1], value };
}

describe('the curated subtypes', () => {
  it('are the 39 that are listed', () => {
    const listed = nodeTypes.flatMap((type) => curatedNames[type].map((subtype) => `${type}.${subtype}`));
    expect(listed).toHaveLength(39);
    expect([...curatedSpecs.keys()].sort()).toEqual(listed.sort());
  });

  it('are found only by type and subtype', () => {
    expect(specFor('FLOW', 'IF')?.description).toContain('branches');
    expect(specFor('FLOW', 'SLACK')).toBeUndefined();
    expect(specFor('__proto__', 'constructor')).toBeUndefined();
  });

  it.each([...curatedSpecs])('%s has all texts, and valid defaults', (_, spec: CuratedSpec) => {
    expect(spec.description.length).toBeGreaterThan(30);
    expect(spec.guidance.length).toBeGreaterThan(60);
    expect(spec.examples.length).toBeGreaterThan(0);
    expect(spec.tags.length).toBeGreaterThan(2);
    expect(spec.attachedNodes !== undefined).toBe(spec.type === 'AI_AGENT');
    const named = new Set(Object.keys(spec.configurations));
    for (const { configurations } of spec.examples) {
      expect(Object.keys(configurations).filter((key) => !named.has(key))).toEqual([]);
    }
    for (const { default: value, options, validationPattern, min = -Infinity, max = Infinity } of Object.values(
      spec.configurations,
    )) {
      if (options && value !== undefined) expect(options).toContain(value);
      // Skip empty defaults, which the user fills in, and expressions.
      const text = typeof value === 'string' && value !== '' && !value.startsWith('=');
      if (validationPattern && text) expect(value).toMatch(new RegExp(validationPattern));
      if (typeof value === 'number' && value !== -1) expect(value >= min && value <= max).toBe(true);
    }
  });
});

describe.skipIf(catalogueIsMissing)('the fragment of a curated subtype', () => {
  const catalogue = testCatalogue();
  const all = [...curatedSpecs].map(([name, spec]) => ({ name, spec, fragment: spec.fragment(catalogue) }));

  it.each(all)('of $name has the listed nodes, in the latest version, with unique names', ({ spec, fragment }) => {
    expect([...new Set(fragment.nodes.map(({ type }) => type))].sort()).toEqual([...new Set(spec.nodes)].sort());
    for (const { type, typeVersion } of fragment.nodes) expect(typeVersion).toBe(catalogue.node(type)?.latest);
    expect(new Set(fragment.nodes.map(({ name }) => name)).size).toBe(fragment.nodes.length);
    expect(new Set(fragment.nodes.map(({ position }) => String(position))).size).toBe(fragment.nodes.length);
  });

  it.each(all)('of $name sets parameters that exist, and no credential', ({ fragment }) => {
    for (const node of fragment.nodes) {
      const known = new Set(catalogue.description(node.type)?.properties.map(({ name }) => name));
      expect(Object.keys(node.parameters).filter((name) => !known.has(name))).toEqual([]);
      expect(node).not.toHaveProperty('credentials');
    }
  });

  it.each(all)('of $name sets only parameters that n8n shows, and all required ones', ({ fragment }) => {
    for (const { type, typeVersion, parameters } of fragment.nodes) {
      const shown = visibleProperties(catalogue.description(type) as NodeDescription, parameters, typeVersion);
      const names = new Set(shown.map(({ name }) => name));
      expect(Object.keys(parameters).filter((name) => !names.has(name))).toEqual([]);
      const asked = shown.filter(({ required, type: kind }) => required === true && kind !== 'hidden');
      expect(asked.map(({ name }) => name).filter((name) => !Object.hasOwn(parameters, name))).toEqual([]);
      for (const { name, modes = [] } of shown.filter(({ type: kind }) => kind === 'resourceLocator')) {
        const { mode } = (parameters[name] ?? { mode: modes[0]?.name }) as { mode: string };
        expect(
          modes.map((one) => one.name),
          name,
        ).toContain(mode);
      }
    }
  });

  it.each(all)('of $name has each configuration at its path, with its default', ({ spec, fragment }) => {
    for (const [key, { at, default: value }] of Object.entries(spec.configurations)) {
      expect(at, key).toBeDefined();
      const place = found(fragment, at as string);
      const known = catalogue.description(place.node)?.properties.map(({ name }) => name);
      expect(known, `${key} at ${at}`).toContain(place.parameter);
      const inside = catalogue
        .description(place.node)
        ?.properties.filter(({ name, type }) => name === place.parameter && type === 'collection')
        .flatMap(({ options = [] }) => options.map(({ name }) => name));
      if (inside?.length) expect(inside, `${key} at ${at}`).toContain(place.below);
      // Firecrawl's body is one expression. An unset value is n8n's default.
      if (place.parameter === 'jsonBody' || place.value === undefined) continue;
      expect(place.value, key).toEqual(value);
    }
  });

  it.each(all)('of $name has the listed ports', ({ spec, fragment }) => {
    const names = new Set(fragment.nodes.map(({ name }) => name));
    for (const port of [...spec.inputPorts, ...spec.outputPorts]) expect(names).toContain(port.node);
    for (const [from, byType] of Object.entries(fragment.connections)) {
      expect(names).toContain(from);
      for (const { node } of Object.values(byType).flat(2)) expect(names).toContain(node);
    }
  });

  it('has the subtype of its node exactly if `names` says so', () => {
    for (const { name, spec } of all) {
      const own = catalogue.node(spec.nodes[0]);
      expect(`${own?.type}.${own?.subtype}` === name, name).toBe(spec.names);
      const taken = catalogue.nodes().filter(({ type, subtype }) => `${type}.${subtype}` === name);
      expect(
        taken.map((node) => node.name),
        name,
      ).toEqual(spec.names ? [spec.nodes[0]] : []);
    }
  });

  it('can be used twice in a workflow: ids are unique', () => {
    const twice = [...all, ...all.map(({ spec }) => ({ fragment: spec.fragment(catalogue) }))];
    const ids = twice.flatMap(({ fragment }) => fragment.nodes.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('refers only to existing subtypes', () => {
    const known = new Set([
      ...curatedSpecs.keys(),
      ...catalogue.nodes().map(({ type, subtype }) => `${type}.${subtype}`),
    ]);
    for (const { spec } of all) {
      const named = [
        ...(spec.attachedNodes ?? []),
        ...(spec.guidance.match(new RegExp(`(${nodeTypes.join('|')})\\.[A-Z_0-9]+`, 'g')) ?? []),
      ];
      expect(named.filter((one) => !known.has(one))).toEqual([]);
    }
  });

  it('is the same without a catalogue of n8n', () => {
    const alone = curatedCatalogue();
    const withoutIds = ({ nodes, connections }: Fragment) => ({
      nodes: nodes.map(({ id: _, webhookId, ...node }) => ({ ...node, hasWebhook: webhookId !== undefined })),
      connections,
    });
    for (const { name, spec } of all) {
      expect(withoutIds(spec.fragment(alone)), name).toEqual(withoutIds(spec.fragment(catalogue)));
      const [type = '', subtype = ''] = name.split('.');
      const asked = { include_examples: true, include_schemas: true, detail: 'essentials' } as const;
      const [told] = nodeDetails(alone, { ...asked, nodes: [{ node_type: type, subtype }] }).nodes;
      expect(told, name).toMatchObject({ node_type: type, subtype, guidance: spec.guidance });
      expect(told).not.toHaveProperty('error');
    }
    for (const { name, latest } of alone.nodes()) expect(catalogue.node(name)?.latest, name).toBe(latest);
  });

  it('is refused with advice if this n8n lacks the node', () => {
    const bare = { ...catalogue, node: () => undefined } as Catalogue;
    expect(() => curatedSpecs.get('FLOW.IF')?.fragment(bare)).toThrow(AppError);
  });
});
