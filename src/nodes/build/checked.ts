import type { CredentialType, NodeDescription } from '../description.ts';

/** The keys to keep. Sluice does not need the rest: icons, panels, hints, request routing. */
const nodeKeys = [
  'displayName',
  'name',
  'group',
  'version',
  'defaultVersion',
  'description',
  'subtitle',
  'defaults',
  'inputs',
  'outputs',
  'inputNames',
  'outputNames',
  'requiredInputs',
  'credentials',
  'properties',
  'usableAsTool',
  'hidden',
  'polling',
  'maxNodes',
  'webhooks',
  'features',
  'codex',
] as const;

const credentialKeys = [
  'name',
  'displayName',
  'documentationUrl',
  'extends',
  'properties',
  'genericAuth',
  'hidden',
  'supportedNodes',
] as const;

/** Dropped at any depth. */
const dropped = new Set(['icon', 'iconUrl', 'iconColor', 'builderHint', 'routing', 'ignoreValidationDuringExecution']);

/** n8n's deepest description has about 30 levels. */
const DEEPEST = 100;
/** n8n's largest description is about 400 KB. Anything beyond this limit is hostile or broken. */
const MOST_VALUES = 1_000_000;

/** Why a description is unusable. The message is for the person who installed the node. */
class BrokenDescription extends Error {}

/** Checks a description and reduces it to the keys Sluice uses. Throws BrokenDescription if it is unusable. */
export function checkedNode(raw: unknown): NodeDescription {
  const node = plain(raw, nodeKeys);
  text(node, 'name');
  // SQLite stores UTF-8, so such a name could not be found again.
  if (!(node.name as string).isWellFormed()) throw new BrokenDescription('its name is not well-formed text');
  text(node, 'displayName');
  if (node.description !== undefined) text(node, 'description');
  const version = Array.isArray(node.version) ? node.version : [node.version];
  if (version.length === 0 || !version.every((one) => Number.isFinite(one))) {
    throw new BrokenDescription('its version is neither a number nor a list of numbers');
  }
  node.version = [...new Set(version as number[])].sort((one, other) => one - other);
  if (node.defaultVersion !== undefined && !Number.isFinite(node.defaultVersion)) {
    throw new BrokenDescription('its defaultVersion is not a number');
  }
  node.group = listOf(node, 'group', isText);
  node.inputs = ports(node, 'inputs');
  node.outputs = ports(node, 'outputs');
  if (node.credentials !== undefined) node.credentials = listOf(node, 'credentials', isNamed);
  node.codex = filed(node.codex);
  for (const key of ['inputNames', 'outputNames']) if (!isTexts(node[key])) delete node[key];
  checkProperties(node.properties);
  return node as unknown as NodeDescription;
}

export function checkedCredential(raw: unknown): CredentialType {
  const credential = plain(raw, credentialKeys);
  text(credential, 'name');
  text(credential, 'displayName');
  if (credential.extends !== undefined) listOf(credential, 'extends', isText);
  checkProperties((credential.properties ??= []));
  return credential as unknown as CredentialType;
}

/** The name of a broken node, for the report. */
export function nameOf(raw: unknown): string {
  const name = typeof raw === 'object' && raw !== null ? (raw as { name?: unknown }).name : undefined;
  return typeof name === 'string' && name !== '' ? name.slice(0, 200) : '(no name)';
}

function plain(raw: unknown, keys: readonly string[]): Record<string, unknown> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) {
    throw new BrokenDescription('it is not an object');
  }
  const budget = { left: MOST_VALUES };
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    const value = Object.hasOwn(raw, key) ? (raw as Record<string, unknown>)[key] : undefined;
    if (value !== undefined) copy[key] = copied(value, 1, budget);
  }
  return copy;
}

/** Copies plain JSON values only. The depth limit also catches cycles. */
function copied(value: unknown, depth: number, budget: { left: number }): unknown {
  if (depth > DEEPEST) throw new BrokenDescription(`it is nested more than ${DEEPEST} levels deep`);
  if (--budget.left < 0) throw new BrokenDescription('it is too large');
  if (Array.isArray(value)) return value.map((one) => copied(one, depth + 1, budget));
  if (typeof value !== 'object' || value === null) return typeof value === 'function' ? undefined : value;
  const copy: Record<string, unknown> = {};
  for (const [key, one] of Object.entries(value)) {
    if (key === '__proto__') throw new BrokenDescription('it has a key called __proto__');
    if (!dropped.has(key)) copy[key] = copied(one, depth + 1, budget);
  }
  return copy;
}

/** Keeps the texts of categories and aliases. Invalid ones are dropped; they are no reason to refuse a node. */
function filed(codex: unknown): unknown {
  if (typeof codex !== 'object' || codex === null || Array.isArray(codex)) return undefined;
  const copy: Record<string, unknown> = { ...codex };
  for (const key of ['categories', 'alias']) if (copy[key] !== undefined) copy[key] = texts(copy[key]);
  if (copy.subcategories !== undefined) {
    const below = Object.entries(Object(copy.subcategories) as object).map(([name, list]) => [name, texts(list)]);
    copy.subcategories = Object.fromEntries(below);
  }
  return copy;
}

const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter(isText) : isText(value) ? [value] : [];

function checkProperties(properties: unknown): void {
  if (!Array.isArray(properties)) throw new BrokenDescription('its properties are not a list');
  for (const property of properties as unknown[]) checkProperty(property);
}

function checkProperty(property: unknown): void {
  if (!isNamed(property)) throw new BrokenDescription('one of its properties is not an object with a name');
  const { name, type, displayName, options, displayOptions } = property;
  if (name === '__proto__') throw new BrokenDescription('one of its properties is called __proto__');
  if (!isText(type)) throw new BrokenDescription(`its property ${name.slice(0, 60)} has no type`);
  // n8n works without it, but our tools show it.
  if (!isText(displayName)) property.displayName = name;
  checkDisplay(displayOptions, name);
  if (options === undefined) return;
  if (!Array.isArray(options))
    throw new BrokenDescription(`the options of its property ${name.slice(0, 60)} are not a list`);
  for (const option of options as unknown[]) {
    if (typeof option !== 'object' || option === null) {
      throw new BrokenDescription(`an option of its property ${name.slice(0, 60)} is not an object`);
    }
    if (type === 'fixedCollection') checkProperties((option as { values?: unknown }).values);
    else if (type === 'collection') checkProperty(option);
  }
}

function checkDisplay(display: unknown, name: string): void {
  if (display === undefined) return;
  const { show = {}, hide = {} } = Object(display) as { show?: unknown; hide?: unknown };
  for (const conditions of [show, hide]) {
    const isTable = typeof conditions === 'object' && conditions !== null;
    if (!isTable || !Object.values(conditions).every(Array.isArray)) {
      throw new BrokenDescription(`the display conditions of its property ${name.slice(0, 60)} are not lists`);
    }
  }
}

function ports(node: Record<string, unknown>, key: 'inputs' | 'outputs'): unknown {
  const value = node[key] ?? [];
  if (typeof value === 'string') return value;
  const isPort = (port: unknown) => isText(port) || isText((Object(port) as { type?: unknown }).type);
  if (Array.isArray(value) && value.every(isPort)) return value;
  throw new BrokenDescription(`its ${key} are neither a list of connections nor an expression`);
}

function listOf(node: Record<string, unknown>, key: string, fits: (one: unknown) => boolean): unknown[] {
  const value = node[key] ?? [];
  if (Array.isArray(value) && value.every(fits)) return value;
  throw new BrokenDescription(`its ${key} have an unexpected format`);
}

const isTexts = (value: unknown): boolean => Array.isArray(value) && value.every(isText);
const isText = (value: unknown): value is string => typeof value === 'string';
const isNamed = (value: unknown): value is Record<string, unknown> & { name: string } =>
  typeof value === 'object' && value !== null && isText((value as { name?: unknown }).name);

function text(of: Record<string, unknown>, key: string): void {
  if (!isText(of[key]) || of[key] === '') throw new BrokenDescription(`it has no ${key}`);
}
