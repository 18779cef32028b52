import type { Catalogue } from '../../nodes/catalogue.ts';
import { configured } from '../../nodes/configuration/configuration.ts';
import type { Property } from '../../nodes/description.ts';
import { pointer } from '../json/json-pointer.ts';
import { fieldsOf, inputPorts, outputPorts, versionOf } from './node-knowledge.ts';
import { isRecord, type Rec } from '../json/record.ts';
import type { ExpressionText, Field, NodeView } from './subject.ts';

const NOTHING: Rec = Object.freeze(Object.create(null) as Record<string, unknown>);
const STICKY = 'n8n-nodes-base.stickyNote';

/** One node as the rules read it. Expensive values are computed on first use and cached. */
export function nodeView(raw: Rec & { name: string; type: string }, index: number, catalogue: Catalogue): NodeView {
  const { name, type } = raw;
  const base = `/nodes/${index}`;
  const version = typeof raw['typeVersion'] === 'number' ? raw['typeVersion'] : undefined;
  const parameters = isRecord(raw['parameters']) ? raw['parameters'] : NOTHING;
  const summary = catalogue.node(type);
  const view: NodeView = {
    index,
    pointer: base,
    raw,
    name,
    type,
    version,
    disabled: raw['disabled'] === true,
    sticky: type === STICKY,
    trigger: summary?.trigger ?? /trigger$/i.test(type),
    parameters,
    summary,
    get description() {
      return described();
    },
    configuration: once(() => {
      const description = described();
      return description && configured(description, parameters, versionOf(view));
    }, undefined),
    fields: once(() => fieldsOf(view), []),
    expressions: once(() => expressionsIn(parameters, pointer(base, 'parameters'), view.fields), []),
    inputs: once(() => inputPorts(view), undefined),
    outputs: once(() => outputPorts(view), undefined),
  };
  const described = once(() => {
    if (!summary) return undefined;
    if (raw['typeVersion'] === undefined || raw['typeVersion'] === null) return catalogue.description(type);
    // Do not judge the parameters by another version: the unknown version is the only finding.
    return version !== undefined && summary.versions.includes(version)
      ? catalogue.description(type, version)
      : undefined;
  }, undefined);
  return view;
}

/** A broken description leaves one node unchecked, not the whole workflow. */
function once<T>(find: () => T, otherwise: T): () => T {
  let found: { value: T } | undefined;
  return () => {
    if (found) return found.value;
    found = { value: otherwise };
    try {
      found = { value: find() };
    } catch {
      // Keep the fallback.
    }
    return found.value;
  };
}

function expressionsIn(parameters: Rec, base: string, fields: () => readonly Field[]): ExpressionText[] {
  const found: { text: string; pointer: string; path: readonly string[] }[] = [];
  const visit = (value: unknown, at: string, path: readonly string[]): void => {
    if (typeof value === 'string') {
      if (value.startsWith('=')) found.push({ text: value, pointer: at, path });
    } else if (Array.isArray(value)) {
      value.forEach((one: unknown, index) => {
        if (couldHold(one)) visit(one, pointer(at, index), [...path, String(index)]);
      });
    } else if (isRecord(value)) {
      for (const key of Object.keys(value)) {
        if (couldHold(value[key])) visit(value[key], pointer(at, key), [...path, key]);
      }
    }
  };
  visit(parameters, base, []);
  if (found.length === 0) return found;
  const properties = new Map<string, Property>();
  for (const field of fields()) properties.set(field.pointer, field.property);
  return found.map((one) => {
    const property = properties.get(one.pointer);
    return property ? { ...one, property } : one;
  });
}

// Build paths only for values that may contain an expression: most do not.
function couldHold(value: unknown): boolean {
  return typeof value === 'string' ? value.startsWith('=') : typeof value === 'object' && value !== null;
}
