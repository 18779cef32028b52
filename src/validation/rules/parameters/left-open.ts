import type { Property } from '../../../nodes/description.ts';
import { isRecord, own } from '../../record.ts';
import type { Field, Subject } from '../../subject.ts';

/** `YOUR_SHEET_ID`, `<your url>`, `[PUT IT HERE]`, `{FOLDER_ID}`, `xxxx`: written to be replaced. */
const PLACEHOLDER =
  /(?<![a-z])your[ _-]?|\byou?r_|<[^<>]{2,}>|\[[^[\]]{3,}\]|\{[A-Z][A-Z0-9_ ]{2,}\}|placeholder|replace[ _-]|\b(insert|enter|put)[ _-]|redacted|^x{3,}$/i;

/** The author has left it for whoever takes the workflow over. */
export function isPlaceholder(text: string): boolean {
  return text.length < 500 && PLACEHOLDER.test(text.replaceAll(/\{\{[^{}]*\}\}/g, ''));
}

/** A chooser in which nothing has been chosen, as n8n writes it when a workflow is handed on. */
export function isUnchosen(value: unknown): boolean {
  return isRecord(value) && value['__rl'] === true && value['value'] === '';
}

/** What was chosen has been taken out: its name or address is still there. */
export function wasChosen(value: Readonly<Record<string, unknown>>): boolean {
  return value['__rl'] === true && ['cachedResultName', 'cachedResultUrl'].some((name) => Object.hasOwn(value, name));
}

/** n8n's editor has put it into a file or on the clipboard: on its author's instance it was whole. */
export function isHandedOn({ workflow }: Pick<Subject, 'workflow'>): boolean {
  const meta = own(workflow, 'meta');
  return isRecord(meta) && typeof own(meta, 'instanceId') === 'string';
}

/** Only the account knows what there is to choose from, and what was chosen elsewhere is not in this one. */
export function isOfferedList({ type, typeOptions }: Property): boolean {
  return (type === 'options' || type === 'multiOptions') && typeOptions?.loadOptionsMethod !== undefined;
}

/** Whom it goes to and where it lies in an account of one's own: never what is said or asked there, nor a URL to call. */
const OWN_ADDRESS =
  /^(sendTo|to|from|(to|from)Email|toRecipients|chatId|channel(Id)?|(recipientPhone|phone)Number(Id)?|(document|folder|database|project|table)Id|documentURL)$/;

const choosers = new Set(['resourceLocator', 'workflowSelector', 'agentSelector']);

/** Written down as empty, which the editor never does: it leaves such a value out. Somebody has blanked their own. */
export function isBlanked({ property, given, value }: Pick<Field, 'property' | 'given' | 'value'>): boolean {
  return given && value === '' && (choosers.has(property.type) || OWN_ADDRESS.test(property.name));
}

/** `URL APIFY`, `Actor_Endpoint_URL`: says which address belongs there. */
export function namesAnAddress(text: string): boolean {
  return (
    text.length < 200 &&
    /(^|[\s_-])URL([\s_-]|$)/.test(text.replace(/^=/, '')) &&
    !/[./:]|not|invalid|bad|wrong/i.test(text)
  );
}

/** `<Replace Telegram ID>`, `<<your id>>` in code, where nothing else could stand. */
const IN_CODE = /<{1,2}(?:replace|your|insert|enter|put|add)\b[^<>\n=&|;]{0,80}>{1,2}/gi;

/** The code as it would be with something in the places that were left open; undefined where there are none. */
export function filledIn(code: string): string | undefined {
  const filled = code.replaceAll(IN_CODE, '0');
  return filled === code ? undefined : filled;
}
