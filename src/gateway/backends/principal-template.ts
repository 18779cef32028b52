import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Transport } from '../transport.ts';

const REFERENCE = /\$\{principal\.([\w.-]+)(?::-([^}]*))?\}/g;

/** The names that `${principal.…}` refers to in a text. */
export function principalNames(text: string): string[] {
  return [...text.matchAll(REFERENCE)].map(({ 1: name = '' }) => name);
}

export function isPrincipalName(name: string): boolean {
  return name === 'id' || name === 'name' || /^attributes\.[\w.-]+$/.test(name);
}

/** The texts of a transport that may refer to the caller, each with its path. */
export function* templatesIn(transport: Transport): Generator<[path: string[], text: string]> {
  const { kind } = transport;
  const named = kind === 'stdio' ? transport.env : transport.headers;
  for (const [name, text] of Object.entries(named)) yield [[kind === 'stdio' ? 'env' : 'headers', name], text];
  if (kind === 'stdio') for (const [index, text] of transport.args.entries()) yield [['args', String(index)], text];
}

/**
 * The transport for one caller. Values that are missing for the owner are left empty: that connection only reads what
 * the server offers. For any other caller they are required, or the caller would act as nobody.
 */
export function transportFor(transport: Transport, principal: Principal, isOwner: boolean): Transport {
  if (!templatesIn(transport).some(([, text]) => principalNames(text).length > 0)) return transport;
  const fill = (text: string, safe: (value: string) => string) =>
    text.replace(REFERENCE, (_, name: string, fallback?: string) => {
      const value = valueOf(principal, name) ?? fallback;
      if (value === undefined && !isOwner) throw unknownOf(name);
      return safe(value ?? '');
    });
  const each = (named: Record<string, string>, safe: (value: string) => string) =>
    Object.fromEntries(Object.entries(named).map(([name, text]) => [name, fill(text, safe)]));
  if (transport.kind !== 'stdio') return { ...transport, headers: each(transport.headers, forHeader) };
  const args = transport.args.map((text) => fill(text, forProcess));
  return { ...transport, args, env: each(transport.env, forProcess) };
}

function valueOf(principal: Principal, name: string): string | undefined {
  if (name === 'id') return principal.id;
  if (name === 'name') return principal.name ?? principal.id;
  const key = name.slice('attributes.'.length);
  const { attributes } = principal;
  return attributes && Object.hasOwn(attributes, key) ? attributes[key] : undefined;
}

function unknownOf(name: string): AppError {
  return new AppError(
    'forbidden',
    `This server needs principal.${name} of its callers, and yours is not known. Sign in to the gateway in a way that provides it, or set a default in the configuration: \${principal.${name}:-…}.`,
  );
}

/**
 * Percent-encodes everything that is not printable ASCII: no value can add a header, and nobody has to guess an encoding
 * (Node writes sometimes Latin-1, sometimes UTF-8). Percent signs and outer spaces, which a receiver would trim, are
 * encoded too, so that two callers never look the same.
 */
function forHeader(value: string): string {
  return value.toWellFormed().replace(/[^\x20-\x7e]|%|^ | $/gu, (sign) => encodeURIComponent(sign));
}

/** A variable or argument cannot hold a zero byte, and without it the value could be another caller's. */
function forProcess(value: string): string {
  if (!value.includes('\0')) return value;
  throw new AppError(
    'forbidden',
    'This server needs to know who calls, but your name or attribute holds a zero byte, which cannot be passed to a process.',
  );
}
