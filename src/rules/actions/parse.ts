import { requireRecord } from '../../conditions/named.ts'
import type { Reader } from '../../db/index.ts'
import { invalid, rule } from '../../errors.ts'
import { findInbox } from '../../inboxes/operations.ts'
import { type ActionName, actionNames } from '../../kinds/rules.ts'
import type { Subject } from '../../kinds/subjects.ts'
import { priorities, ticketStatuses } from '../../kinds/tickets.ts'
import { normaliseEmail } from '../../lib/input/email.ts'
import {
  isBlank,
  ownValue,
  quote,
  readFields,
  readInteger,
  readList,
  readObject,
  readString,
} from '../../lib/input/read.ts'
import { readSpan } from '../../lib/input/spans.ts'
import { checkTagName } from '../../tags/names.ts'
import { MAX_SUBJECT } from '../../tickets/thread/content.ts'
import { listCannedReplies } from '../../tickets/writing/canned-replies.ts'
import { colleaguesById } from '../../users/colleagues.ts'
import type { Action } from '../model.ts'

/** Actions of a rule, tags of one, and addresses of a mail at most. */
const MAX_ACTIONS = 10
const MAX_TAGS = 20
const MAX_ADDRESSES = 20
/** The longest text, in characters. */
const MAX_TEXT = 10_000

interface Kind {
  /** What it can be done about. */
  readonly of: readonly Subject[]
  readonly keys: readonly string[]
  read(given: Record<string, unknown>, place: string): Omit<Action, 'do'>
}

const ticket: readonly Subject[] = ['ticket']
const others: readonly Subject[] = ['response', 'contact']
const all: readonly Subject[] = [...ticket, ...others]

const tagsKind: Kind = {
  of: ticket,
  keys: ['tags'],
  read: ({ tags }, place) => ({ tags: readTags(tags, `${place}.tags`) }),
}
const groupKind: Kind = {
  of: all,
  keys: ['group'],
  read: ({ group }, place) => ({ group: readInteger(group, `${place}.group`) }),
}

/** Which keys each action has, and what it can be done about. */
const kinds: Readonly<Record<ActionName, Kind>> = {
  assign: {
    of: ticket,
    keys: ['user', 'team'],
    read(given, place) {
      const named = ['user', 'team'].filter((key) => Object.hasOwn(given, key))
      if (named.length === 0) throw invalid(place, rule('user_or_team'))
      const idOf = (key: string) => (given[key] === null ? null : readId(given[key], `${place}.${key}`))
      return Object.fromEntries(named.map((key) => [key, idOf(key)]))
    },
  },
  set_priority: {
    of: ticket,
    keys: ['priority'],
    read: ({ priority }, place) => ({ priority: readWord(priority, priorities, `${place}.priority`) }),
  },
  set_status: {
    of: ticket,
    keys: ['status'],
    read: ({ status }, place) => ({ status: readWord(status, ticketStatuses, `${place}.status`) }),
  },
  snooze: {
    of: ticket,
    keys: ['for'],
    read(given, place) {
      const span = readString(given.for, 20, `${place}.for`).trim()
      readSpan(span, `${place}.for`)
      return { for: span }
    },
  },
  add_tags: tagsKind,
  remove_tags: tagsKind,
  note: {
    of: ticket,
    keys: ['text'],
    read: ({ text }, place) => ({ text: readText(text, MAX_TEXT, `${place}.text`) }),
  },
  reply: {
    of: ticket,
    keys: ['html', 'canned'],
    read({ html, canned }, place) {
      if ((html === null) === (canned === null)) throw invalid(place, rule('html_or_canned'))
      return html === null
        ? { canned: readId(canned, `${place}.canned`) }
        : { html: readText(html, MAX_TEXT, `${place}.html`) }
    },
  },
  mail: {
    of: all,
    keys: ['to', 'subject', 'text'],
    read: ({ to, subject, text }, place) => ({
      to: readAddresses(to, `${place}.to`),
      subject: readText(subject, MAX_SUBJECT, `${place}.subject`),
      text: readText(text, MAX_TEXT, `${place}.text`),
    }),
  },
  send_form: { of: ticket, keys: ['form'], read: ({ form }, place) => ({ form: readId(form, `${place}.form`) }) },
  open_ticket: {
    of: others,
    keys: ['inbox', 'subject', 'text', 'tags', 'priority', 'team'],
    read: ({ inbox, subject, text, tags, priority, team }, place) => ({
      inbox: readId(inbox, `${place}.inbox`),
      subject: readText(subject, MAX_SUBJECT, `${place}.subject`),
      ...(text === null ? {} : { text: readText(text, MAX_TEXT, `${place}.text`) }),
      ...(tags === null ? {} : { tags: readTags(tags, `${place}.tags`) }),
      ...(priority === null ? {} : { priority: readWord(priority, priorities, `${place}.priority`) }),
      ...(team === null ? {} : { team: readId(team, `${place}.team`) }),
    }),
  },
  add_to_group: groupKind,
  remove_from_group: groupKind,
  stop: { of: all, keys: [], read: () => ({}) },
}

/** The actions that can be done about such a record. */
export const actionsOf = (subject: Subject): ActionName[] =>
  actionNames.filter((name) => kinds[name].of.includes(subject))

/**
 * What a rule is to do, of records of this kind. Throws `invalid_request` naming the place for an unknown action or key, and
 * for a value of the wrong kind. Whether there is what they name is asked by `checkActions`.
 */
export function parseActions(given: unknown, place: string, subject: Subject): Action[] {
  const list = readList(given ?? null, MAX_ACTIONS, place)
  if (list.length === 0) throw invalid(place, rule('too_few_items', { count: 1 }))
  return list.map((one, index) => parseAction(one, `${place}[${index}]`, subject))
}

function parseAction(given: unknown, place: string, subject: Subject): Action {
  const name = ownValue(readObject(given, place), 'do')
  const known = actionNames.find((one) => one === name)
  if (!known) throw invalid(`${place}.do`, rule('one_of', { choices: actionsOf(subject).join(', ') }))
  const kind = kinds[known]
  if (!kind.of.includes(subject)) throw invalid(`${place}.do`, rule('action_unfit', { subject }))
  const fields = readFields(given, ['do', ...kind.keys], place)
  const read = kind.read(known === 'assign' ? (given as Record<string, unknown>) : fields, place)
  return { do: known, ...read } as Action
}

function readWord<W extends string>(given: unknown, words: readonly W[], place: string): W {
  const word = words.find((one) => one === given)
  if (!word) throw invalid(place, rule('one_of', { choices: words.join(', ') }))
  return word
}

function readText(given: unknown, most: number, place: string): string {
  const text = readString(given, most, place).toWellFormed()
  if (isBlank(text)) throw invalid(place, rule('not_blank'))
  return text
}

const readId = (given: unknown, place: string) => readText(given, 100, place).trim().toLowerCase()

function readTags(given: unknown, place: string): string[] {
  const list = readList(given, MAX_TAGS, place)
  if (list.length === 0) throw invalid(place, rule('too_few_items', { count: 1 }))
  return list.map((one, index) => checkTagName(readString(one, 1000, `${place}[${index}]`), `${place}[${index}]`))
}

function readAddresses(given: unknown, place: string): string[] {
  const list = typeof given === 'string' ? [given] : readList(given, MAX_ADDRESSES, place)
  if (list.length === 0) throw invalid(place, rule('too_few_items', { count: 1 }))
  return list.map((one, index) => normaliseEmail(readText(one, 254, `${place}[${index}]`)))
}

/** Throws `invalid_request`, naming the place, where an action names what the tenant does not have. */
export async function checkActions(db: Reader, tenantId: string, actions: readonly Action[], place: string) {
  for (const [index, action] of actions.entries()) await checkAction(db, tenantId, action, `${place}[${index}]`)
}

/** As `checkActions`, of one. */
export async function checkAction(db: Reader, tenantId: string, action: Action, place: string): Promise<void> {
  switch (action.do) {
    case 'assign':
      if (action.user) await requireRecord(db, tenantId, 'user', action.user, `${place}.user`)
      if (action.team) await requireRecord(db, tenantId, 'team', action.team, `${place}.team`)
      return
    case 'reply':
      if (action.canned) await cannedText(db, tenantId, action.canned, `${place}.canned`)
      return
    case 'mail': {
      const known = new Set(
        [...(await colleaguesById(db, tenantId)).values()].map(({ email }) => normaliseEmail(email)),
      )
      const stranger = action.to.findIndex((address) => !known.has(address))
      if (stranger < 0) return
      throw invalid(
        `${place}.to[${stranger}]`,
        rule('not_a_colleague', { address: quote(action.to[stranger] as string) }),
      )
    }
    case 'send_form':
      return requireRecord(db, tenantId, 'form', action.form, `${place}.form`)
    case 'open_ticket':
      await requireRecord(db, tenantId, 'inbox', action.inbox, `${place}.inbox`)
      if ((await findInbox(db, tenantId, action.inbox))?.channel !== 'email') {
        throw invalid(`${place}.inbox`, rule('email_inbox'))
      }
      if (action.team) await requireRecord(db, tenantId, 'team', action.team, `${place}.team`)
      return
    case 'add_to_group':
    case 'remove_from_group':
      return requireRecord(db, tenantId, 'group', String(action.group), `${place}.group`)
  }
}

/** The text of one of everybody's canned replies, by its id or its name. Throws `invalid_request` at the place. */
export async function cannedText(db: Reader, tenantId: string, named: string, place: string): Promise<string> {
  const found = (await listCannedReplies(db, tenantId, null)).find(
    ({ id, name }) => id === named || name.toLowerCase() === named,
  )
  if (!found) throw invalid(place, rule('canned_unknown'))
  return found.text
}
