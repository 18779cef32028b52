/** Names of methods, of whatever there is in an expression or in the code of a node. */

/** What Luxon's dates, durations, intervals and zones have. */
const luxon = `abutsEnd abutsStart after as before buildFormatParser contains count create diff diffNow difference
  divideEqually endOf engulfs equals eras expandFormat features formatOffset fromDateTimes fromDurationLike fromFormat
  fromFormatExplain fromFormatParser fromHTTP fromISO fromISOTime fromJSDate fromMillis fromObject fromRFC2822 fromSQL
  fromSeconds fromString fromStringExplain get getMinimumDaysInFirstWeek getPossibleOffsets getStartOfWeek
  getWeekendWeekdays hasDST hasSame instance intersection invalid isAfter isBefore isDateTime isDuration isEmpty
  isInterval isValidIANAZone isValidSpecifier isValidZone length local mapEndpoints mapUnits max merge meridiems min
  minus months monthsFormat negate normalize normalizeUnit normalizeZone now offset offsetName overlaps
  parseFormatForOpts parseSpecifier plus reconfigure removeZeros rescale resetCache resetCaches resolvedLocaleOptions set setLocale
  setZone shiftTo shiftToAll splitAt splitBy startOf toBSON toDuration toFormat toHTTP toHuman toISO toISODate toISOTime
  toISOWeekDate toJSDate toJSON toLocal toLocaleParts toLocaleString toMillis toObject toRFC2822 toRelative
  toRelativeCalendar toSQL toSQLDate toSQLTime toSeconds toString toUTC toUnixInteger union until utc valueOf weekdays
  weekdaysFormat xor`;

/** What a date of Luxon itself has: $now, $today, DateTime.now(). */
const ofDates = `diff diffNow endOf equals get getPossibleOffsets hasSame minus plus reconfigure resolvedLocaleOptions set
  setLocale setZone startOf toBSON toFormat toHTTP toISO toISODate toISOTime toISOWeekDate toJSDate toJSON toLocal
  toLocaleParts toLocaleString toMillis toObject toRFC2822 toRelative toRelativeCalendar toSQL toSQLDate toSQLTime
  toSeconds toString toUTC toUnixInteger until valueOf`;

/** What n8n's own objects have: $input, $('…'), $execution.customData, the helpers of code. */
const ofN8n = `first last all itemMatching pairedItem getValue get set getAll setAll reset httpRequest
  httpRequestWithAuthentication requestWithAuthenticationPaginated request getBinaryDataBuffer prepareBinaryData
  setBinaryDataBuffer binaryToString binaryToBuffer assertBinaryData returnJsonArray normalizeItems
  copyInputItems constructExecutionMetaData getWorkflowStaticData`;

/** What n8n adds to texts, lists, numbers, dates and objects, in expressions and nowhere else. */
const added = `abs append average base64Decode base64Encode beginningOf ceil chunk compact difference diffTo diffToNow
  endOfMonth extract extractDomain extractEmail extractUrl extractUrlPath first floor format hasField hash intersection
  isBetween isDomain isDst isEmail isEmpty isEven isInLast isInteger isNotEmpty isNumeric isOdd isUrl isWeekend
  keepFieldsContaining keys last length max merge mergeIntoObject min minus parseJson pluck plus quote randomItem
  removeDuplicates removeField removeFieldsContaining removeMarkdown removeTags renameKeys replaceSpecialChars reverse
  round smartJoin sum toBoolean toDate toDateTime toDecimalNumber toFloat toInt toJsonString toNumber toSentenceCase
  toSnakeCase toTitleCase toWholeNumber union unique urlDecode urlEncode values`;

/** Of the web's objects that code has: naming these loads them, which takes longer than all the rest. */
const ofTheWeb = 'abort append arrayBuffer bytes formData getSetCookie json stream text';

const builtIn: readonly unknown[] = [
  Object,
  Function,
  Boolean,
  Symbol,
  Error,
  Number,
  BigInt,
  Math,
  Date,
  String,
  RegExp,
  Array,
  Map,
  Set,
  WeakMap,
  WeakSet,
  WeakRef,
  Promise,
  Proxy,
  Reflect,
  JSON,
  Intl,
  Iterator,
  ArrayBuffer,
  DataView,
  Uint8Array,
  Float64Array,
  Buffer,
  TextEncoder,
  TextDecoder,
  URL,
  URLSearchParams,
  console,
  ...Object.getOwnPropertyNames(Intl).map((name) => Intl[name as keyof typeof Intl]),
  (function* () {})(),
  (async function* () {})(),
];

const words = (text: string) => text.split(/\s+/);

/** Every method that something has by itself, in code as in expressions. */
export const methods: ReadonlySet<string> = new Set([
  ...builtIn.flatMap(namesOf),
  ...words(luxon),
  ...words(`${ofN8n} ${ofTheWeb}`),
]);

/** Those that only expressions have. */
export const onlyInExpressions: ReadonlySet<string> = new Set(words(added).filter((name) => !methods.has(name)));

/** Those of a date, in code; in expressions n8n adds to them. */
export const dateMethods: ReadonlySet<string> = new Set([...words(ofDates), ...namesOf(Object.prototype)]);
export const dateMethodsInExpressions: ReadonlySet<string> = new Set([...dateMethods, ...words(added)]);

/** Of the thing itself, of what it makes, and of all they inherit. */
function namesOf(thing: unknown): string[] {
  const names: string[] = [];
  const made = typeof thing === 'function' ? (thing.prototype as unknown) : undefined;
  for (const one of [thing, made]) {
    for (let at = one; at !== null && at !== undefined; at = Object.getPrototypeOf(at) as unknown) {
      names.push(...Object.getOwnPropertyNames(at));
    }
  }
  return names;
}
