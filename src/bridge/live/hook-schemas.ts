/**
 * A part of the hook file: plain JavaScript that runs in n8n. n8n's hooks see workflows as they are stored, so what a tool
 * takes is read from its parameters: from `$fromAI(…)`, from a declared schema, or from what kind of tool it is.
 */
export const hookSchemas = String.raw`
const TYPES = new Map([['string', 'string'], ['number', 'number'], ['boolean', 'boolean'], ['json', ['object', 'array']]]);
const QUOTES = ['"', "'", '\x60'];
const ONE_INPUT = { type: 'object', properties: { input: { type: 'string' } } };

/** The JSON Schema of what a tool takes. Undefined if only its server knows, or if no object would match it. */
function schemaOf(node) {
  try {
    const schema = declaredBy(node);
    return schema && schema.type === 'object' ? schema : undefined;
  } catch {
    return undefined; // One odd node must not keep the tools of all others out of the file.
  }
}

function declaredBy({ type, parameters }) {
  if (/\.mcp(Registry)?ClientTool$/.test(type)) return undefined;
  const asked = new Map();
  collectAsked(parameters, asked, 0);
  if (asked.size > 0 || /^(?!.*langchain).*Tool$/.test(type)) return objectOf(asked);
  if (parameters.specifyInputSchema && parameters.schemaType === 'manual') return JSON.parse(parameters.inputSchema);
  if (parameters.specifyInputSchema) return schemaOfExample(JSON.parse(parameters.jsonSchemaExample), 0);
  const { values } = parameters.placeholderDefinitions || {};
  if (!Array.isArray(values)) return ONE_INPUT;
  return objectOf(new Map(values.map(({ name, type, description }) => [name, { type, description }])));
}

/** Parameters of the tool that are required unless they have a default. */
function objectOf(asked) {
  const properties = [...asked].map(([name, { type, description, value }]) => [name, {
    type: TYPES.get(type) || 'string',
    ...(description ? { description } : {}),
    ...(value === undefined ? {} : { default: value }),
  }]);
  const required = [...asked].flatMap(([name, { value }]) => (value === undefined ? [name] : []));
  return { type: 'object', properties: Object.fromEntries(properties), ...(required.length > 0 ? { required } : {}) };
}

function collectAsked(value, asked, depth) {
  if (typeof value === 'string') for (const one of askedIn(value)) asked.set(one.name, one);
  else if (depth < 20 && value !== null && typeof value === 'object')
    for (const inner of Object.values(value)) collectAsked(inner, asked, depth + 1);
}

/** The calls of $fromAI(name, description, type, default) in a text. */
function* askedIn(text) {
  for (const call of text.matchAll(/\$fromAI\s*\(/gi)) {
    const given = literalsFrom(text, call.index + call[0].length);
    if (!given) return;
    if (!given[0]) continue;
    const [name, description, type = 'string', value] = given;
    const kind = String(type).toLowerCase();
    yield { name: String(name), description, type: kind, value: value === undefined ? undefined : valued(value, kind) };
  }
}

/** The arguments of a call, up to its closing parenthesis. Undefined if it does not end. */
function literalsFrom(text, start) {
  const parts = [''];
  let quote = '';
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const letter = text[at];
    if (quote) {
      if (letter === '\\') parts[parts.length - 1] += text[++at] ?? '';
      else if (letter === quote) quote = '';
      else parts[parts.length - 1] += letter;
    } else if (QUOTES.includes(letter)) {
      quote = letter;
      parts[parts.length - 1] = parts[parts.length - 1].trim();
    } else if (letter === ')' && depth === 0) {
      const given = parts.map((part) => part.trim());
      return given.length === 1 && given[0] === '' ? [] : given;
    } else if (letter === ',' && depth === 0) parts.push('');
    else {
      if (letter === '(') depth++;
      if (letter === ')') depth--;
      parts[parts.length - 1] += letter;
    }
  }
  return undefined;
}

function valued(text, type) {
  if (type === 'boolean') return text === 'true';
  if (type === 'number' && text !== '' && !Number.isNaN(Number(text))) return Number(text);
  if (type !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function schemaOfExample(value, depth) {
  if (Array.isArray(value)) return { type: 'array', ...(value.length > 0 && depth < 20 ? { items: schemaOfExample(value[0], depth + 1) } : {}) };
  if (value === null || typeof value !== 'object') return value === null ? {} : { type: typeof value };
  const properties = Object.entries(value).map(([name, inner]) => [name, depth < 20 ? schemaOfExample(inner, depth + 1) : {}]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}
`;
