import { describe, expect, test } from 'bun:test'
import { MAX_SPANS } from '../../src/calendars/parse.ts'
import { loadConfig } from '../../src/config.ts'
import { CONTACTS_PER_REQUEST, MAX_BATCH } from '../../src/contacts/model.ts'
import { MAX_CONDITIONS } from '../../src/forms/logic-input/limits.ts'
import { SERVED } from '../../src/forms/portable/read.ts'
import { chapters } from '../../src/guide/chapters.ts'
import { formScript, partScripts } from '../../src/hosted/assets.ts'
import { DAYS_BY_DEFAULT } from '../../src/kinds/retention.ts'
import { chatScript, chatStyleSheet, widgetScript } from '../../src/livechat/client-files.ts'
import { WAITS } from '../../src/tickets/replies/put-off-replies.ts'
import { constant } from '../support/sources/constants.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const KIB = 1024
const MIB = 1024 * KIB
const config = loadConfig({}, {})

/** When a batch is tried again, in milliseconds after each attempt. */
const retries = Array.from(
  { length: constant('attempts:MAX_ATTEMPTS') - 1 },
  (_, index) => config.webhook.retryBaseMs * Math.min(constant('attempts:FACTOR') ** index, constant('attempts:CAP')),
)
/** Kilobytes that a script takes compressed. */
const size = (script: string) => Math.round(Bun.gzipSync(script).length / 1000)
const widget = widgetScript({ language: 'en', accent: null, hidesButton: false })

/** Seconds after which a node that was told to stop has ended, whatever its database does. */
const longestStop = (constant('index:CLOSING') + constant('client:SILENCE')) / SECOND
/** Of a node to its database, with the one that asks what became of a commit. */
const connections = constant('index:READERS') + constant('writers:WRITERS') + constant('coordination:CONNECTIONS') + 1

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const word = (number: number) => words[number] ?? String(number)
const written = (number: number) => number.toLocaleString('en')

/** Sentences of each chapter with a figure in them, as the program has it. */
const said: Readonly<Record<string, readonly string[]>> = {
  'receiving-webhooks': [
    `collected for ${config.webhook.windowMs / SECOND} seconds from the first one, or until there are ${constant('collecting:MAX_EVENTS')}, and`,
    `its event arrives ${config.webhook.windowMs / SECOND} seconds later`,
    `keep them for ${(DAYS_BY_DEFAULT.deliveries ?? 0) + 1} days`,
    `longer than ${config.webhook.timeoutMs / SECOND} seconds counts as a failure`,
    `after about ${(retries[0] ?? 0) / SECOND} seconds, then ${retries
      .slice(1, -1)
      .map((wait) => wait / MINUTE)
      .join(', ')} and ${(retries.at(-1) ?? 0) / MINUTE} minutes`,
    `every attempt of the last ${DAYS_BY_DEFAULT.deliveries} days`,
    `1 for the first attempt, ${constant('attempts:MAX_ATTEMPTS')} for the last`,
    `the log of the last ${constant('expiry:EVENTS_KEPT') / DAY} days`,
    `there is something, at most ${constant('held:LONGEST_WAIT')} seconds`,
    `at most ${constant('held:MOST_HELD')} requests held`,
  ],
  client: [
    `(it tries ${constant('calling:RETRIES')} times again)`,
    `(an answer may take ${written(constant('calling:TIMEOUT'))} ms)`,
    `more than ${word(constant('retrying:LONGEST_WAIT') / 60)} minutes you get`,
    `older than ${word(constant('verify:TOLERANCE') / 60)} minutes is refused`,
  ],
  mcp: [
    `longer than ${constant('cutting:MAX_ANSWER') / 1000} kB`,
    `A file up to ${constant('mcp/answers:MAX_FILE') / MIB} MiB`,
    `not used for ${constant('grants:REFRESH_LIFETIME') / DAY} days`,
  ],
  contacts: [
    `up to ${MAX_BATCH} contacts`,
    `at ${config.rateLimit} requests a minute`,
    `a key sends ${(config.rateLimit * CONTACTS_PER_REQUEST).toLocaleString('en')} contacts a minute`,
    `50,000 take some ${Math.round(50_000 / (config.rateLimit * CONTACTS_PER_REQUEST) / 10) * 10} minutes by batches`,
  ],
  recipes: [
    `deliveries come after ${config.webhook.windowMs / SECOND} seconds`,
    `up to ${constant('expiry:EVENTS_KEPT') / DAY} days back`,
  ],
  rules: [
    `the newest ${constant('trying:TRIED')} tickets`,
    `lists the newest ${constant('runs:RUNS_KEPT')}:`,
    `At most ${constant('parse:MAX_ACTIONS')} steps`,
    `in ${constant('reply:ONCE_IN') / HOUR} hours`,
    `After ${constant('health:MOST_FAILURES')} failures in a row`,
  ],
  configuring: [
    `limited to ${constant('public-limit:READS')}, or to ${word(constant('public-limit:READS_PER_WRITE'))} times this number`,
    `: ${constant('seal:KEY_LENGTH')} random bytes in Base64`,
    `raw mails of more than ${constant('raw-mail:MAX_IN_ROW') / KIB} KiB`,
    `deleted ${constant('orphans:TRASH_KEPT') / DAY} days later`,
  ],
  deploying: [
    `at least ${constant('passwords:MIN_LENGTH')} characters`,
    `deliveries finish: at most ${longestStop} seconds`,
  ],
  mail: [
    `larger than ${constant('receive:MAX_MAIL') / MIB} MiB`,
    `A mail over ${constant('receive:MAX_MAIL') / MIB} MiB`,
    `the first ${constant('body:MAX_ATTACHMENTS')} files of its mail`,
    `For ${DAYS_BY_DEFAULT.raw_mails} days agents can download`,
    `${word(constant('certificate:NOTICE') / (7 * DAY))} weeks before it ends`,
    `names the newest ${constant('build-reply:MAX_REFERENCES')} mails`,
    `waits for ${word(constant('send-later:UNDO_WINDOW') / SECOND)} seconds`,
    `after ${WAITS.map((wait) => wait / MINUTE)
      .join(', ')
      .replace(/, (\d+)$/, ' and $1')} minutes`,
    `to a sender once in ${constant('automatic/answering:ONCE_IN') / HOUR} hours`,
    `stay for their ${constant('expiry:EVENTS_KEPT') / DAY} days`,
    `for their ${DAYS_BY_DEFAULT.raw_mails}.`,
    `look at the ticket within ${word(constant('alerting:LOOK_WITHIN') / MINUTE)} minutes`,
    `to more than ${word(constant('alerts/mails:MOST_TICKETS'))} tickets at once`,
    `gets more than ${word(constant('alerts/mails:MOST_MAILS'))}.`,
    `It counts for ${constant('alerts/expiry:ANSWERED_WITHIN') / DAY} days`,
    `word of 1 to ${constant('tags/names:MAX_NAME')} characters`,
    `has at most ${constant('tags/names:MAX_TAGS_OF_TICKET')}, a tenant at most ${written(constant('tags/operations:MAX_TAGS'))}.`,
  ],
  forms: [
    `There are up to ${MAX_CONDITIONS} conditions`,
    `(${constant('write:MIN_SHARED_KEY')} to ${constant('write:MAX_KEY')} random characters)`,
    `to ${config.publicRateLimit} writes and ${constant('public-limit:READS')} reads a minute`,
    `JSON of ${constant('body:MAX_PUBLIC_BYTES') / KIB} KiB and ${written(constant('body:MAX_PUBLIC_KEYS'))} keys`,
    `${constant('public-limit:JSON_AN_HOUR') / MIB} MiB of JSON an hour`,
    `${constant('limits:QUOTA') / MIB} MiB of files`,
    `with ${word(constant('public-limit:SITE_BUDGETS'))} times as much`,
    `with \`maxFiles\` up to ${constant('question-types/files:MOST_FILES')}`,
    `for ${word(constant('limits:UNUSED_KEPT') / HOUR)} hours are removed`,
    `touched for ${DAYS_BY_DEFAULT.partial_responses} days`,
    `A script of ${size(formScript)} kB`,
    `loads another of ${size(partScripts.logic)} kB`,
    `at most ${constant('pictures:MAX_PICTURE_SIZE') / MIB} MiB and ${constant('pictures:MAX_PIXELS') / 1_000_000} megapixels`,
    `WOFF2 of at most ${constant('settings/fonts:MAX_FONT_SIZE') / KIB} KiB`,
    `go on within ${constant('responses/later:LINK_KEPT') / DAY} days`,
    `at most ${constant('to-respondents:MOST_A_DAY')} such mails a day`,
    `there a file is at most ${SERVED.text / MIB} MiB beside`,
  ],
  'working-hours': [`A day has any number of spans, up to ${MAX_SPANS}.`],
  'chat-and-help': [
    `The widget is ${size(widget)} kB`,
    `loads the chat (${size(chatScript + chatStyleSheet)} kB)`,
    `has at most ${written(constant('livechat/model:MAX_TEXT'))} characters`,
    `takes one of at most ${constant('limits:MAX_FILE_SIZE') / MIB} MiB`,
    `up to ${word(constant('livechat/model:MAX_FILES'))} of them go with a message`,
    `within ${word(constant('limits:UNUSED_KEPT') / HOUR)} hours is deleted`,
    `may have ${constant('limits:QUOTA') / MIB} MiB waiting`,
    `may write ${config.publicRateLimit} times a minute`,
    `have ${constant('places:MOST')} sockets`,
    `within ${word(constant('chat-mails:UNSEEN') / MINUTE)} minutes`,
    `more than ${word(constant('send-mail:MOST_UNVERIFIED'))} a day`,
    `forgotten after ${constant('silent:KEPT') / DAY} days`,
    `may ask ${config.publicRateLimit} questions a minute`,
    `read ${constant('public-limit:READS')} pages`,
    `gives the ${word(constant('assistant:PASSAGES'))} passages`,
    `more than ${word(constant('search:ALWAYS_RARE'))} articles`,
    `A word of ${word(constant('search:SHORTEST_BEGINNING'))} letters or more`,
    `It has ${constant('assistant:TIME') / SECOND} seconds in all`,
    `gets ${constant('assistant:WRITTEN_PER_MINUTE')} answers a minute`,
    `once in ${word(constant('kept-answers:KEPT') / MINUTE)} minutes`,
    `at most ${constant('endpoint:AT_ONCE')} questions`,
    `GIF of at most ${constant('images:MAX_IMAGE') / MIB} MiB`,
    `has named for ${constant('images:UNUSED_KEPT') / DAY} days`,
  ],
  console: [
    `send ${constant('account-mails:MOST_INVITATIONS')} invitations an hour`,
    `The last ${constant('edits:MOST')} changes`,
    `the first ${written(constant('search:INDEXED'))} characters`,
    `up to ${constant('contact-imports:MAX_FILE_SIZE') / MIB} MiB`,
    `the list ${constant('operations:ENDED_KEPT') / DAY} days later`,
    `for ${DAYS_BY_DEFAULT.deliveries} days, what webhooks were sent`,
    `(kept for ${DAYS_BY_DEFAULT.deliveries} days)`,
    `after ${constant('sessions:IDLE') / HOUR} hours without use, after ${constant('sessions:LONGEST') / DAY} days`,
    `at least ${constant('passwords:MIN_LENGTH')} characters`,
    `limited to ${constant('limits:FAILURES')} in ${constant('limits:WINDOW') / MINUTE} minutes`,
    `${word(constant('recovery-codes:CODES'))} recovery codes`,
  ],
  postgresql: [
    `after ${constant('commits:PATIENCE') / SECOND} seconds, a change after 30`,
    `given up after ${constant('client:SILENCE') / SECOND} seconds`,
    `longer than ${constant('client:LONGEST_STATEMENT') / SECOND} seconds`,
    `after at most ${longestStop} seconds`,
    `Each node takes up to ${connections}, and ${constant('replica:CONNECTIONS')} to a [replica]`,
  ],
  growing: [
    `waits for it for ${constant('replica:PATIENCE')} ms`,
    `given up within ${word((constant('replica:HEARTBEAT') + constant('replica:SILENCE') + constant('client:LET_GO') * SECOND) / SECOND)} seconds`,
  ],
  'keeping-data': [
    `more than ${written(constant('leaving/import:MOST_BESIDE'))} records`,
    `an unfinished response last | ${DAYS_BY_DEFAULT.partial_responses} days`,
    `still to be delivered stays | ${DAYS_BY_DEFAULT.deliveries} days`,
    `stays in its ticket | ${DAYS_BY_DEFAULT.raw_mails} days`,
  ],
  monitoring: [
    `at most ${written(constant('gather:MOST'))} are counted, and the age`,
    `of which at most ${written(constant('gather:MOST'))} are counted`,
    `to look for requests, ${SECOND / constant('stalls:TICK')} times a second`,
    `within ${constant('gather:PATIENCE') / SECOND} seconds, because`,
    `held the program for ${constant('stalls:STALL')} ms or longer`,
    `the database took ${constant('db/watch:SLOW')} ms or longer`,
  ],
  'backup-and-upgrade': [
    `tried again within ${constant('backup/schedule:LATEST_RETRY') / MINUTE} minutes`,
    `stays for ${constant('before-migration:KEPT') / DAY} days`,
  ],
}

/** Numbers that are not the program's: of protocols, of other programs, in examples, or measured once and said to be. */
const OTHERS = new RegExp(
  [
    '\\b[245]\\d\\d\\b',
    'Base64|SHA-?256|UTF-(?:8|16)|Windows-1252|per /64|per /48|(?:993 and 465|143 and 587)|[Pp]ort 25\\b',
    'Microsoft 365|OAuth 2|PostgreSQL 15',
    'SurveyJS, [^.]*410 kB',
    'numbers such as -5',
    'IPv6|S3|[45]xx|a 2xx|2xx at once|exit code 0|An amount of 0 ',
    // Held by the tests of the search, of forms' pages and of the chapter on deploying.
    'of 40 questions [^.]* 24 articles[^.]* 35 have|less than 25 kB compressed|of some \\d+ MB',
    'How long it takes, measured in November 2026 [^.]*',
    '#microsoft-365-and-google|November 2026',
    'revisions [-\\d]+ and [-\\d]+ of|PKCE with S256|customer’s  from 0 to 100',
    'n8n|for Node from 20 on|a Node of 22.19|takes \\d+ kB compressed|; 0 where none came',
  ].join('|'),
  'gi',
)

const plain = (text: string) => text.replace(/\s+/g, ' ')

describe('figures', () => {
  for (const [slug, sentences] of Object.entries(said)) {
    const text = plain(chapters.find((one) => one.slug === slug)?.markdown ?? '')
    test.each(sentences.map((sentence) => [sentence]))(`in ${slug} are the program’s: %s`, (sentence) => {
      expect(text).toContain(sentence)
    })
  }

  // What was measured says where and how, and what is told of a day was so on that day.
  const all = chapters
    .filter(({ slug }) => !['contributing', 'growing', 'changelog'].includes(slug))
    .map(({ slug, markdown }) => [slug, markdown] as const)
  test.each(all)('in %s are all compared with the program', (slug, markdown) => {
    const left = (said[slug] ?? []).reduce(
      (text, sentence) => text.replaceAll(sentence, ''),
      plain(markdown.replace(/^ *```[\s\S]*?^ *```/gm, '')),
    )
    const prose = left
      .replace(/`[^`]*`/g, '')
      .replace(OTHERS, '')
      .replace(/ \d\. /g, ' ')
    expect(prose.match(/.{0,30}\d[\d,.]*.{0,20}/g) ?? []).toEqual([])
  })
})
