const STRING = String.raw`"(?:\\.|[^"\\])*"`;
const COMMENT = new RegExp(String.raw`${STRING}|//[^\n]*|/\*[\s\S]*?\*/`, 'g');
const TRAILING_COMMA = new RegExp(String.raw`${STRING}|,(?=\s*[}\]])`, 'g');

/** JSON without comments and trailing commas; every character keeps its place, so that positions stay true. */
export function plainJson(text: string): string {
  const blank = (match: string) => (match.startsWith('"') ? match : match.replace(/[^\n]/g, ' '));
  return text
    .replace(/^\uFEFF/, '')
    .replace(COMMENT, blank)
    .replace(TRAILING_COMMA, blank);
}
