const STRING = String.raw`"(?:\\.|[^"\\])*"`;
const COMMENT = new RegExp(String.raw`${STRING}|//[^\n]*|/\*[\s\S]*?\*/`, 'g');
const TRAILING_COMMA = new RegExp(String.raw`${STRING}|,(?=\s*[}\]])`, 'g');

/** JSON without comments and trailing commas. Every character keeps its position, so that line numbers stay right. */
export function plainJson(text: string): string {
  const blank = (match: string) => (match.startsWith('"') ? match : match.replace(/[^\n]/g, ' '));
  return text
    .replace(/^\uFEFF/, '')
    .replace(COMMENT, blank)
    .replace(TRAILING_COMMA, blank);
}
