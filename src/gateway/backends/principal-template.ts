import { AppError } from '../../kernel/errors.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Transport } from '../transport.ts';

const REFERENCE = /\$\{principal\.([\w.-]+)(?::-([^}]*))?\}/g;

/** What `${principal.…}` in a text refers to. */
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
 * The transport for one caller. What is not known of the owner, who only reads what the server offers, is left empty;
 * of anybody else it must be known, or they would act as nobody.
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
    `This server is told principal.${name} of its callers, and that is not known of you. Sign in to the gateway in a way that says it, or give it a value for such cases: \${principal.${name}:-…}.`,
  );
}

/**
 * What is not printable ASCII is percent-encoded: no value can add a header, and nobody has to guess an encoding,
 * which Node itself writes now as Latin-1, now as UTF-8. So are signs of percent, and spaces that a receiver would cut
 * off: two callers never look the same.
 */
function forHeader(value: string): string {
  return value.toWellFormed().replace(/[^\x20-\x7e]|%|^ | $/gu, (sign) => encodeURIComponent(sign));
}

/** Neither a variable nor an argument can hold a zero byte, and without it the value would be another's. */
function forProcess(value: string): string {
  if (!value.includes('\0')) return value;
  throw new AppError(
    'forbidden',
    'This server is told who calls, and what is known of you holds a zero byte, which no process can be told.',
  );
}
