import { join } from 'node:path';
import { API } from 'typescript/unstable/sync';
import { type ElementAccessExpression, type Node, SyntaxKind } from 'typescript/unstable/ast';
import { expect, test } from 'vitest';

// A tool, a server or a node may be called `constructor` or `__proto__`. So no text of unknown content indexes an object:
// own() of kernel/own.ts reads, a Map or Object.fromEntries() builds.

/**
 * Audited exceptions. They read keys that our own code names, or write to objects without a prototype or with names that
 * a schema has checked.
 */
const audited: ReadonlySet<string> = new Set([
  'auth/provider-adapter.ts: MOST[kind]',
  'bridge/ai-tools/endpoints.ts: all[serverName(source.slug, endpoint)]',
  'bridge/ai-tools/generate/align-instance.ts: facts[source.wanted.found.id]',
  'host/config/dotenv.ts: back[name]',
  'host/config/duration.ts: UNITS[match[2]]',
  'host/config/fill.ts: node[key]',
  'host/config/fill.ts: node[last]',
  'gateway/import/move-secrets.ts: known[name]',
  'gateway/config/file.ts: file[key]',
  'host/config/at-start.ts: (tree as Record<string, unknown> | undefined)?.[key]',
  'gateway/capabilities.ts: capabilities[name]',
  'gateway/capabilities.ts: merged[name]',
  'gateway/backends/catalogue.ts: capabilities[capability]',
  'gateway/backends/catalogue.ts: checked.item[lists[kind].key]',
  'gateway/backends/catalogue.ts: result[field]',
  'gateway/era.ts: context.client.capabilities[capability]',
  'gateway/backends/expiry.ts: catalogue.capabilities[capabilityOf(kind)]',
  'gateway/parking.ts: responses[key]',
  'gateway/service.ts: visibility.capabilities(exchange, era)[needed]',
  'gateway/exposure/wrapper.ts: args[key]',
  'kernel/moment.ts: units[match[2] as string]',
  'login/page.ts: entities[sign]',
  'n8n/find/located.ts: node.parameters[parameter]',
  'n8n/workflows/edit/parameter-path.ts: (place as Record<string, unknown>)[last]',
  'n8n/workflows/edit/parameter-path.ts: place[step]',
  'nodes/build/checked.ts: node[key]',
  'nodes/build/checked.ts: of[key]',
  'nodes/details/choice.ts: parameters[open.name]',
  'nodes/details/derived.ts: set[empty.name]',
  'nodes/fragments/fragment-for.ts: set[property.name]',
  'server/openapi.ts: paths[path]',
  'store/call-usage.ts: group.reasons[reason]',
  'store/event-log.ts: fact[field]',
  'telemetry/tracing-settings.ts: found[pair.slice(0, at).trim()]',
  'validation/rules/parameters/unknown-parameter.ts: given[key]',
  'validation/validate.ts: switches[key]',
  'wire/child.ts: environment[name]',
  'wire/child.ts: ours[name]',
  'wire/modern.ts: params[field]',
]);

const root = import.meta.dirname;

/** The key is known to be the object's own: it was checked, or comes from its keys. */
function isOwn(around: string, key: string): boolean {
  const word = RegExp.escape(key);
  return (
    new RegExp(`Object\\.hasOwn\\([^)]*${word}\\)`).test(around) ||
    new RegExp(`for \\(const ${word} in `).test(around) ||
    /Object\.(?:keys|entries)\(/.test(around)
  );
}

/** Our own code chooses the names of environment variables and headers. */
const isEnvironment = (object: string): boolean => /\benv$|[hH]eaders$|\bvariables$/.test(object);

test('no text of unknown content indexes an object', () => {
  const api = new API({ cwd: join(root, '..') });
  try {
    const snapshot = api.updateSnapshot({ openProjects: [join(root, '..', 'tsconfig.json')] });
    const project = snapshot.getProjects()[0];
    if (!project) throw new Error('There is no project.');
    const { program, checker } = project;
    const anyText = checker.getStringType();
    const found = new Set<string>();

    const look = (node: Node, text: string, file: string, around: Node): void => {
      const textOf = ({ pos, end }: Node) => text.slice(pos, end).trim();
      const inside =
        node.kind === SyntaxKind.FunctionDeclaration || node.kind === SyntaxKind.MethodDeclaration ? node : around;
      if (node.kind === SyntaxKind.ElementAccessExpression) {
        const { expression, argumentExpression: key } = node as ElementAccessExpression;
        const type = key.kind === SyntaxKind.StringLiteral ? undefined : checker.getTypeAtLocation(key);
        const isText = type !== undefined && checker.isTypeAssignableTo(anyText, type);
        if (isText && !isEnvironment(textOf(expression)) && !isOwn(textOf(inside), textOf(key)))
          found.add(`${file}: ${textOf(node)}`);
      }
      node.forEachChild((child) => look(child, text, file, inside));
    };

    for (const name of program.getSourceFileNames()) {
      if (!name.startsWith(`${root}/`) || /\.(?:test|contract)\.ts$/.test(name)) continue;
      const source = program.getSourceFile(name);
      source?.forEachChild((statement) => look(statement, source.text, name.slice(root.length + 1), statement));
    }
    expect([...found].sort()).toEqual([...audited].sort());
  } finally {
    api.close();
  }
});
