/** The modules that Python code imports, each once. */
export function pythonImports(text: string): string[] {
  const found = text.matchAll(/^[ \t]*(?:from[ \t]+([\w.]+)[ \t]+import\b|import[ \t]+([\w.]+))/gm);
  return [...new Set([...found].map(([, from, plain]) => (from ?? plain) as string))];
}
