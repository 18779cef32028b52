const unit =
  '(?:seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|weekdays?|workdays?|weekends?|months?|quarters?|years?|mornings?|noons?|afternoons?|evenings?|nights?|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?)';

/** Phrases that imply a word they do not contain. Each adds the word that nodes are known by. */
const turns: readonly (readonly [RegExp, ...string[]])[] = [
  [new RegExp(` (?:every|each) (?:\\w+ )?${unit} `), 'schedule', 'cron'],
  [new RegExp(` (?:once|twice|\\w+ times) (?:an?|per|every|each) ${unit} `), 'schedule', 'cron'],
  // "Daily" at the start or end means a schedule; "the daily report" does not.
  [
    /^ (?:everyday|daily|hourly|weekly|monthly|nightly|yearly) (?:\w+ )?(?:at|on|run|job|sync|backup|update|check) /,
    'schedule',
  ],
  [/ (?:everyday|daily|hourly|weekly|monthly|nightly|yearly|annually|on weekdays|on workdays) $/, 'schedule'],
  [/ (?:everyday|daily|hourly|weekly|monthly|nightly) (?:at|on|by|around|job|run|trigger) /, 'schedule'],
  [
    / (?:at|by|around) (?:\d{1,2}(?: \d\d)? ?(?:am|pm|a m|p m|o clock|oclock)|noon|midnight|dawn|sunrise|dusk) /,
    'schedule',
  ],
  [/ \d{1,2}(?: \d\d)? ?(?:am|pm) /, 'schedule'],
  [/ (?:to|as|into) (?:an? )?(?:csv|xlsx|xls|excel|ods|ics|file|pdf file|text file|attachment) /, 'convert', 'export'],
  [/ (?:csv|xlsx|xls|excel|ods|ics|pdf|file) (?:file )?(?:to|into) (?:json|text|items|rows|objects) /, 'extract'],
  [/^ (?:fail|abort|halt|terminate|cancel) /, 'abort'],
  [/ for (?:each|every) /, 'loop', 'iterate'],
  [/ (?:one by one|one at a time|at a time|one after (?:the )?other|one after another) /, 'loop'],
  [/ \d+ (?:\w+ )?(?:per (?:call|request|batch|run)|at once) /, 'batch'],
  [/^ (?:keep )?only (?!one |the first |the last |first |last )/, 'filter'],
  [/ (?:if|whether) .* (?:or|else|otherwise) /, 'condition'],
  [/^ (?:if|check if|check whether|test if|test whether|see if|only if|unless) /, 'condition'],
  [/ (?:only|stop|continue|proceed|go on) (?:\w+ ){0,2}(?:if|unless) /, 'condition'],
  [/ (?:yes or no|true or false|say yes|thumbs up|sign off|go ahead from|green light) /, 'approval'],
  [/ (?:more than once|seen before|already (?:seen|processed|handled|sent)) /, 'duplicate'],
];

/** `text` must be lower case, with a single space around every word. */
export function impliedBy(text: string): string[] {
  return turns.flatMap(([pattern, ...words]) => (pattern.test(text) ? words : []));
}
