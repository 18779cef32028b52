/** The code of a new module: an HTTP service with a tool that reads and one that deletes. */
export const skeleton = (
  name: string,
): string => `import { addressOf, AppError, type Http, HttpError, httpTo, module, segment, toolsFor, z } from 'sluice/module';

/** What tools get besides their input: \`connect\` makes it when the first one is called. */
interface Connection extends AsyncDisposable {
  readonly http: Http;
}

const ${name}Tool = toolsFor<Connection>({ category: '${name}' });

const item = z.object({ id: z.string(), name: z.string() });

const getItem = ${name}Tool({
  name: '${name}_get_item',
  title: 'Get item',
  description: 'Returns one item by its id.',
  effect: 'read',
  input: z.strictObject({ id: z.string().describe('Id of the item') }),
  output: item,
  async run({ id }, { http }, { signal }) {
    return await http.json(item, \`/items/\${segment(id)}\`, { signal });
  },
});

const deleteItem = ${name}Tool({
  name: '${name}_delete_item',
  title: 'Delete item',
  description: 'Deletes one item for good.',
  // Sluice asks for confirmation, and lists the tool only with \`mode: read-write\`.
  effect: 'delete',
  input: z.strictObject({ id: z.string().describe('Id of the item') }),
  output: z.object({ deleted: z.string() }),
  async preview({ id }, { http }, { signal }) {
    const { name } = await http.json(item, \`/items/\${segment(id)}\`, { signal });
    return \`This deletes the item \${name}.\`;
  },
  async run({ id }, { http }, { signal }) {
    await http.text(\`/items/\${segment(id)}\`, { method: 'DELETE', signal });
    return { deleted: id };
  },
});

export default module({
  name: '${name}',
  // One line: clients see it in every list of tools.
  description: 'items of ${name}',
  settings: z.object({ url: z.url(), token: z.string().optional() }),
  address: ({ url }) => addressOf(url),
  secrets: ({ token }) => [token],
  tools: async () => [getItem, deleteItem],
  async connect({ url, token }, { tls }) {
    const headers = { ...(token !== undefined && { authorization: \`Bearer \${token}\` }) };
    const http = httpTo({ base: url, headers, tls });
    return { http, [Symbol.asyncDispose]: () => http[Symbol.asyncDispose]() };
  },
  async check({ http }: Connection, signal) {
    await http.text('/', { signal });
    return 'answers';
  },
  // Connections that fail, time-outs and TLS are explained already.
  explain(error, at) {
    if (!(error instanceof HttpError)) return undefined;
    if (error.status === 401) return new AppError('unavailable', \`\${at} refuses the token. Correct modules.${name}.token.\`);
    if (error.status === 404) return new AppError('not_found', \`\${at} has no such item.\`);
    return new AppError('unavailable', \`\${at} answered with the status \${error.status}.\`);
  },
});
`;
