/** What a container of the chart would run, as a command on this machine. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Container } from './manifest.ts';

/** The variables that a container gets. `secrets` are by name and key: "mcp-auth-token/token". */
export function environmentOf(
  { env = [] }: Container,
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const fields: Readonly<Record<string, string>> = { 'status.podIP': '127.0.0.1', 'metadata.namespace': 'prod' };
  const found: Record<string, string> = {};
  for (const { name, value = '', valueFrom: { secretKeyRef: secret, fieldRef: field } = {} } of env) {
    const from = secret ? secrets[`${secret.name}/${secret.key}`] : field ? fields[field.fieldPath] : value;
    if (from === undefined) throw new Error(`Nothing is known of ${name}: ${JSON.stringify({ secret, field })}`);
    // As Kubernetes does it, with the variables above this one.
    found[name] = from.replaceAll(/\$\((\w+)\)/g, (whole, other: string) => found[other] ?? whole);
  }
  return found;
}

/** Every variable that docs/configuration.md names. */
export function documentedVariables(): Set<string> {
  const page = readFileSync(fileURLToPath(new URL('../../../docs/configuration.md', import.meta.url)), 'utf8');
  const section = page.split('## Environment')[1]?.split('\n## ')[0] ?? '';
  const names = section.split('\n').flatMap((line) => [...(line.split('|')[1] ?? '').matchAll(/`([A-Z][A-Z0-9_]+)`/g)]);
  return new Set(names.map(([, name = '']) => name));
}
