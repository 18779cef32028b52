/** Elements name each other with or without their provider: `auth` of a Docker router is `auth@docker`. */
export const qualified = (name: string, by: { readonly provider: string }): string =>
  name === '' || name.includes('@') ? name : `${name}@${by.provider}`;

export const isInternal = (name: string): boolean => name.endsWith('@internal');
