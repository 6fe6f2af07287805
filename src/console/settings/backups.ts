import { askForBackup, askForLook } from '../../backup/operations.ts'
import { type Known, knownOf, type Listing, sharedListing } from '../../backup/overview.ts'
import { isOverdue, nextBackupAt } from '../../backup/schedule.ts'
import type { Shelved } from '../../backup/shelves/shelved.ts'
import { type BackupState, backupState, isBusy, workUnderWay } from '../../backup/state.ts'
import type { BackupConfig, Keep } from '../../config.ts'
import { UserError } from '../../errors.ts'
import { html, type Insert } from '../../lib/html/markup.ts'
import { writeCount, writeList, writeSize } from '../../lib/language/amounts.ts'
import { formatTime } from '../../lib/time.ts'
import { isShared } from '../../tenants/operations.ts'
import { badge, card, definitions, emptyState, time } from '../components/display.ts'
import { button, form } from '../components/forms.ts'
import { table } from '../components/lists.ts'
import type { Guard } from '../guard.ts'
import { type PageContent, redirectTo, type View, type Visit } from '../visit.ts'
import { settingsHead } from './head.ts'

const role = 'admin'
const PATH = '/console/settings/backups'
const GUIDE = '/docs/guide/backup-and-upgrade#by-itself'
/** Seconds after which the page looks again by itself, while something is under way. */
const AGAIN = '3'
/** Backups that the page shows; the rule of what is kept leaves fewer, unless somebody keeps very many. */
const SHOWN = 100
const MINUTE = 60_000

/**
 * Backups (decisions §22). They hold all tenants of the installation, whose admins need not be whoever runs it: where there
 * are several, the page says when and whether they are good, and neither how large they are, nor where, nor why one failed.
 */
export function backupPages(add: Guard): void {
  const list = sharedListing(add.deps.config)
  const again = (visit: Visit) => backupsPage(visit, list)
  add.page(PATH, { role }, again)
  add.action(`${PATH}/make`, { role, again }, async (visit) => {
    await visit.change((tx, caller) => askForBackup(tx, caller, visit.deps.config.backup))
    return redirectTo(PATH, visit.wording.say('backupAsked'))
  })
  add.action(`${PATH}/check`, { role, again }, async (visit) => {
    const { say } = visit.wording
    const [state, lying] = await Promise.all([backupState(visit.db), list()])
    if (uncheckedAmong(lying, state) === 0) return redirectTo(PATH, say('backupCheckNone'))
    await visit.change((tx, caller) => askForLook(tx, caller, visit.deps.config.backup))
    return redirectTo(PATH, say('backupCheckAsked'))
  })
}

function uncheckedAmong(lying: readonly Shelved[], { doubtful }: BackupState): number {
  return lying.filter((backup) => knownOf(backup, doubtful) === 'unknown').length
}

/** What the parts of the page are made of. */
interface Overview {
  readonly backup: BackupConfig
  readonly state: BackupState
  /** Whether it has to keep to itself what only whoever runs the installation may know. */
  readonly isShared: boolean
  /** What lies there, or in words for whoever runs it why nobody can look. */
  readonly lying: readonly Shelved[] | string
  readonly isBusy: boolean
}

async function backupsPage(visit: Visit, list: Listing): Promise<PageContent> {
  const { db, deps, at } = visit
  const { say } = visit.wording
  const title = say('settingsBackups')
  const { backup } = deps.config
  if (!backup) return { title, body: html`${settingsHead(visit, PATH, say('backupsIntro'))}${off(visit)}` }
  const [state, shared, lying] = await Promise.all([backupState(db), isShared(db), looked(list)])
  const overview = { backup, state, isShared: shared, lying, isBusy: isBusy(state, at) }
  return {
    title,
    ...(overview.isBusy && { headers: { refresh: `${AGAIN}; url=${visit.href(PATH)}` } }),
    body: html`${settingsHead(visit, PATH, say('backupsIntro'))}
${shared && html`<p class="help">${say('backupsShared')}</p>`}
<div class="columns">${schedule(visit, overview)}${work(visit, overview)}</div>
${listed(visit, overview)}`,
  }
}

async function looked(list: Listing): Promise<readonly Shelved[] | string> {
  try {
    return await list()
  } catch (error) {
    if (error instanceof UserError) return error.message
    throw error
  }
}

/** What to do where none are made. */
function off(visit: View): Insert {
  const { say } = visit.wording
  return emptyState(
    html`<strong>${say('backupsOff')}</strong> ${say('backupsOffHelp')}`,
    html`<a href="${visit.href(GUIDE)}">${say('backupsGuide')}</a>`,
  )
}

/** How backups stand, and how they are made. */
function schedule(visit: Visit, { backup, state, isShared: isKept }: Overview): Insert {
  const { at, wording } = visit
  const { say, locale } = wording
  const { last, failure } = state
  const next = nextBackupAt(state, backup.everyMs, at)
  const overdue = isOverdue(state, backup.everyMs, at)
  return card(
    say('backupsState'),
    html`<p>${standing(visit, overdue, state)}</p>
${overdue && html`<p>${say('backupsOverdueWhy')}</p>`}
${failure && html`<p>${time(visit, formatTime(failure.at))}: ${say('backupsFailedThen')} ${isKept ? say('backupsFailedShared') : html`<code class="line">${failure.reason}</code>`} ${say('backupsFailedAgain')}</p>`}
${definitions([
  [
    say('backupsLast'),
    last
      ? html`${time(visit, formatTime(last.at))}${!isKept && html` · ${writeSize(last.size, locale)}`}`
      : say('backupsNoneYet'),
  ],
  [say('backupsNext'), next <= at ? say('backupsNow') : time(visit, formatTime(next))],
  [say('backupsHowOften'), howOften(visit, backup.everyMs)],
  [say('backupsKept'), say('backupsKeptOf', { spans: keptSpans(visit, backup.keep) })],
  [say('backupsWhere'), !isKept && html`<code class="line">${backup.to.url}</code>`],
])}`,
  )
}

function standing({ wording: { say } }: View, overdue: boolean, { failure, last }: BackupState): Insert {
  if (overdue) return badge(say('backupsOverdue'), 'bad')
  if (failure) return badge(say('backupsFailed'), last ? 'warn' : 'bad')
  return last ? badge(say('backupsFine'), 'good') : badge(say('backupsFirst'), 'accent')
}

function howOften({ wording: { say } }: View, everyMs: number): string {
  const units = [
    ['backupsEvery_day', 86_400_000],
    ['backupsEvery_hour', 3_600_000],
    ['backupsEvery_minute', MINUTE],
  ] as const
  const [word, ms] = units.find(([, length]) => everyMs % length === 0) ?? (['backupsEvery_second', 1000] as const)
  return say(word, { count: Math.round(everyMs / ms) })
}

function keptSpans({ wording: { locale } }: View, keep: Keep): string {
  const counts = [
    ['hour', keep.hours],
    ['day', keep.days],
    ['week', keep.weeks],
    ['month', keep.months],
  ] as const
  const spans = counts.filter(([, count]) => count > 0).map(([unit, count]) => writeCount(count, unit, locale))
  return writeList(spans, locale)
}

/** What is under way, or the button that begins it. */
function work(visit: Visit, { state, isBusy: isAtWork }: Overview): Insert {
  const { say } = visit.wording
  const { last, begunAt } = state
  if (!isAtWork) {
    return card(
      say('backupMake'),
      html`<p>${say('backupMakeHelp')}</p>${form(visit, { action: `${PATH}/make` }, button(say('backupMake')))}`,
    )
  }
  const doing = workUnderWay(state, visit.at)
  const isChecking = doing === 'checking' || (doing === null && state.wantedAt === null)
  const title = say(isChecking ? 'backupChecking' : doing === null ? 'backupWaiting' : 'backupMaking')
  return card(
    title,
    html`<p><progress class="wide" aria-label="${title}"></progress></p>
${!isChecking && html`<p>${say('backupMakingHelp')}</p>`}
${definitions([
  [say('backupBegun'), doing !== null && begunAt !== null && time(visit, formatTime(begunAt))],
  [say('backupTookLast'), !isChecking && last?.took !== undefined && tookOf(visit, last.took)],
])}`,
  )
}

function tookOf({ wording: { say } }: View, took: number): string {
  const count = Math.round(took / MINUTE)
  return count === 0 ? say('backupTookMoment') : say('backupTook', { count })
}

const words = {
  good: ['backupGood', 'good'],
  damaged: ['backupDamaged', 'bad'],
  foreign: ['backupForeign', 'warn'],
  unknown: ['backupUnknown', 'neutral'],
} as const satisfies Record<Known, readonly [string, string]>

/** What lies there, newest first. */
function listed(visit: Visit, { lying, state, isShared: isKept, isBusy: isAtWork }: Overview): Insert {
  const { say, locale } = visit.wording
  if (typeof lying === 'string') {
    return card(
      say('backupsCaption'),
      html`<p>${say('backupsAway')}</p>${!isKept && html`<p><code class="line">${lying}</code></p>`}`,
    )
  }
  const shown = lying.slice(0, SHOWN)
  const unchecked = uncheckedAmong(lying, state)
  const stateOf = (backup: Shelved) => {
    const [word, tone] = words[knownOf(backup, state.doubtful)]
    return badge(say(word), tone)
  }
  const when = { label: say('backupWhen') }
  const columns = [
    when,
    { label: say('backupName') },
    { label: say('backupSize'), kind: 'number' },
    { label: say('backupState') },
  ] as const
  return html`${
    unchecked > 0 &&
    html`<p>${say('backupsUnchecked', { count: unchecked })}</p>${!isAtWork && form(visit, { action: `${PATH}/check` }, button(say('backupCheck'), { kind: 'secondary' }))}`
  }
${table({
  caption: say('backupsCaption'),
  columns: isKept ? [when, { label: say('backupState') }] : columns,
  rows: shown.map((backup) => {
    const at = time(visit, formatTime(backup.at))
    if (isKept) return [at, stateOf(backup)]
    return [at, html`<code class="line">${backup.name}</code>`, writeSize(backup.size, locale), stateOf(backup)]
  }),
  empty: say('backupsNone'),
})}
${lying.length > SHOWN && html`<p class="help">${say('backupsMore', { count: lying.length - SHOWN })}</p>`}
${!isKept && html`<p class="help">${say('backupsRestoreHelp')} <a href="${visit.href(GUIDE)}">${say('backupsGuide')}</a></p>`}`
}
