import { isRecord } from '../../record.ts';

/** `YOUR_SHEET_ID`, `<your url>`, `[PUT IT HERE]`, `{FOLDER_ID}`, `xxxx`: written to be replaced. */
const PLACEHOLDER =
  /\byour[ _-]?|\byou?r_|<[^<>]{2,}>|\[[^[\]]{3,}\]|\{[A-Z][A-Z0-9_ ]{2,}\}|placeholder|replace[ _-]|\b(insert|enter|put)[ _-]|redacted|^x{3,}$/i;

/** The author has left it for whoever takes the workflow over. */
export function isPlaceholder(text: string): boolean {
  return text.length < 500 && PLACEHOLDER.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''));
}

/** A chooser in which nothing has been chosen, as n8n writes it when a workflow is handed on. */
export function isUnchosen(value: unknown): boolean {
  return isRecord(value) && value['__rl'] === true && value['value'] === '';
}
