import { channels } from '../kinds/inboxes.ts'
import { priorities, ticketStatuses } from '../kinds/tickets.ts'
import { fold, type Operator, type Subject } from './model.ts'

/* Which fields there are, what each holds, and which operators it takes. */

/** What a field holds: decides the operators, and what their values have to be. */
export type FieldKind = 'record' | 'records' | 'tags' | 'word' | 'text' | 'texts' | 'value' | 'number' | 'flag'

const compared = ['is', 'is_not', 'one_of'] as const
const searched = ['contains', 'contains_not', 'starts_with'] as const
const measured = ['at_least', 'at_most'] as const

/** The operators that each kind takes. */
export const operatorsOf: Readonly<Record<FieldKind, readonly Operator[]>> = {
  record: [...compared, 'empty'],
  records: [...compared, 'empty'],
  tags: [...compared, ...searched, 'empty'],
  word: compared,
  text: [...compared, ...searched, 'empty'],
  texts: [...compared, ...searched, 'empty'],
  value: [...compared, ...searched, ...measured, 'empty'],
  number: ['is', 'is_not', ...measured, 'empty'],
  flag: ['is', 'is_not'],
}

/** Records that conditions name by their ids. */
export type NamedRecord = 'inbox' | 'user' | 'team' | 'form' | 'group' | 'organisation'

export interface Field {
  readonly kind: FieldKind
  /** What it is known of. */
  readonly of: readonly Subject[]
  /** Which records its values are, where they are some. */
  readonly record?: NamedRecord
  /** The only values that it can have, where there are few. */
  readonly words?: readonly string[]
}

const ticket: readonly Subject[] = ['ticket']
const response: readonly Subject[] = ['response']
const withContact: readonly Subject[] = ['ticket', 'response', 'contact']

/** The fields that go by one name. */
export const fields = {
  inbox: { kind: 'record', of: ticket, record: 'inbox' },
  channel: { kind: 'word', of: ticket, words: channels },
  status: { kind: 'word', of: ticket, words: ticketStatuses },
  priority: { kind: 'word', of: ticket, words: priorities },
  tag: { kind: 'tags', of: ticket },
  assignee: { kind: 'record', of: ticket, record: 'user' },
  team: { kind: 'record', of: ticket, record: 'team' },
  subject: { kind: 'text', of: ticket },
  text: { kind: 'text', of: ticket },
  from: { kind: 'text', of: ticket },
  from_domain: { kind: 'text', of: ticket },
  to: { kind: 'texts', of: ticket },
  automatic: { kind: 'flag', of: ticket },
  working_hours: { kind: 'flag', of: withContact },
  form: { kind: 'record', of: response, record: 'form' },
  score: { kind: 'number', of: response },
  'contact.email': { kind: 'text', of: withContact },
  'contact.group': { kind: 'records', of: withContact, record: 'group' },
  'contact.organisation': { kind: 'record', of: withContact, record: 'organisation' },
} as const satisfies Record<string, Field>
export type FieldName = keyof typeof fields

/** The fields of which there are many: each is named behind one of these. */
export const fieldFamilies = {
  'answer:': { kind: 'value', of: response },
  'hidden:': { kind: 'value', of: response },
  'contact.custom:': { kind: 'value', of: withContact },
} as const satisfies Record<string, Field>
export type FieldFamily = keyof typeof fieldFamilies

/** How the fields are written, for refusals. */
export const fieldNames = [...Object.keys(fields), 'answer:ID', 'hidden:NAME', 'contact.custom:NAME']

/** The field of this name, or undefined. */
export function fieldNamed(name: string): Field | undefined {
  if (Object.hasOwn(fields, name)) return fields[name as FieldName]
  const family = familyOf(name)
  return family && name.length > family.length ? fieldFamilies[family] : undefined
}

/** The family that a field is named behind, or undefined. */
export function familyOf(name: string): FieldFamily | undefined {
  return (Object.keys(fieldFamilies) as FieldFamily[]).find((family) => name.startsWith(family))
}

/** What stands behind the family's name. */
export function memberOf(name: string): string {
  return name.slice(familyOf(name)?.length ?? 0)
}

/** The name by which facts know a field: what tenants have named is looked up without regard to case. */
export function comparableField(name: string): string {
  return familyOf(name) ? fold(name) : name
}
