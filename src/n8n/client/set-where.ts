const variables = { apiKey: 'N8N_API_KEY', url: 'N8N_URL' } as const;

/** Where its owner says it: the default one may be in no file at all. */
export const setWhere = (name: string, what: keyof typeof variables): string =>
  name === 'default' ? `${variables[what]} or n8n.default.${what}` : `n8n.${name}.${what}`;
