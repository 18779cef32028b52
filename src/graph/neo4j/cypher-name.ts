/** A label or relationship type in a statement: Neo4j takes no parameters there. */
export const cypherName = (name: string): string => `\`${name.replaceAll('`', '``')}\``;
