import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { checkNamed } from '../../src/conditions/named.ts'
import { parseConditions } from '../../src/conditions/parse.ts'
import { createCustomField, setCustomValue } from '../../src/contacts/fields/custom-fields.ts'
import { createTeam } from '../../src/teams/operations.ts'
import { createTestGroup, createTestOrganisation } from '../support/api/contacts.ts'
import { startApp, type TestTenant } from '../support/app.ts'
import { createPublished } from '../support/forms/collecting.ts'
import { refusalOf } from '../support/refusal.ts'
import { createEmailInbox, createTicket } from '../support/tickets/tickets.ts'

const app = await startApp()
afterAll(() => app.close())

const refusedAs = async (when: unknown, subject: 'ticket' | 'response' | 'contact' = 'ticket') =>
  refusalOf(Promise.resolve().then(() => parseConditions(when, 'when', subject)))

const all = (...members: unknown[]) => ({ all: members })

test.each<[unknown, string]>([
  ['x', 'when: must be an object'],
  [[], 'when: must be an object'],
  [{}, 'when: must hold either "all" or "any", and nothing else'],
  [{ all: [], any: [] }, 'when: must hold either "all" or "any", and nothing else'],
  [{ every: [] }, 'when: must hold either "all" or "any", and nothing else'],
  [{ all: {} }, 'when.all: must be a list'],
  [{ all: [] }, 'when.all: at least 1 item is required'],
  [all(...Array.from({ length: 51 }, () => 7)), 'when.all: at most 50 items are allowed'],
  [all(7), 'when.all[0]: must be an object'],
  [all({}), 'when.all[0].field: is required'],
  [all({ field: 7 }), 'when.all[0].field: must be a string'],
  [all({ field: 'subject', is: 'a' }, { field: 'colour', is: 'a' }), 'when.all[1].field: "colour" is no field'],
  [all({ field: 'answer:', is: 'a' }), 'when.all[0].field: "answer:" is no field'],
  [all({ field: 'constructor', is: 'a' }), 'when.all[0].field: "constructor" is no field'],
  [all({ field: '__proto__', is: 'a' }), 'when.all[0].field: "__proto__" is no field'],
  [all({ field: 'score', at_least: 1 }), 'when.all[0].field: "score" is not known of a ticket'],
  [all({ field: 'subject' }), 'when.all[0]: says nothing of its field: use one of is, is_not, one_of, contains'],
  [all({ field: 'subject', matches: 'a' }), 'when.all[0]: "matches" is no operator: use one of is, is_not'],
  [all({ field: 'subject', is: 'a', contains: 'b' }), 'when.all[0]: must hold one operator'],
  [all({ field: 'subject', at_most: 1 }), 'when.all[0].at_most: is not for this field: use one of is, is_not, one_of'],
  [
    all({ field: 'priority', contains: 'h' }),
    'when.all[0].contains: is not for this field: use one of is, is_not, one_of',
  ],
  [all({ field: 'priority', is: 'High' }), 'when.all[0].is: must be one of low, normal, high, urgent'],
  [
    all({ field: 'status', one_of: ['open', 'snoozed'] }),
    'when.all[0].one_of[1]: must be one of open, pending, closed, spam',
  ],
  [all({ field: 'subject', is: 7 }), 'when.all[0].is: must be a string'],
  [all({ field: 'subject', is: ' ' }), 'when.all[0].is: must not be blank'],
  [all({ field: 'subject', is: 'x'.repeat(501) }), 'when.all[0].is: must be at most 500 characters'],
  [all({ field: 'subject', is: '\ud800' }), 'when.all[0].is: must not hold half of a surrogate pair'],
  [all({ field: 'subject', one_of: [] }), 'when.all[0].one_of: at least 1 item is required'],
  [all({ field: 'assignee', is: null }), 'when.all[0].is: must be a string'],
  [all({ field: 'assignee', empty: 'yes' }), 'when.all[0].empty: must be true or false'],
  [all({ field: 'automatic', is: 'true' }), 'when.all[0].is: must be true or false'],
  [all({ any: [{ any: [] }] }), 'when.all[0].any[0].field: is required'],
  [all({ any: [] }), 'when.all[0].any: at least 1 item is required'],
  [
    all({
      any: [
        { field: 'tag', is: 'a' },
        { field: 'tga', is: 'a' },
      ],
    }),
    'when.all[0].any[1].field: "tga" is no field',
  ],
])('%o is refused with its place', async (when, message) => expect(await refusedAs(when)).toStartWith(message))

test('what a response has is not asked of a contact, and numbers are numbers', async () => {
  expect(await refusedAs(all({ field: 'form', is: 'x' }), 'contact')).toBe(
    'when.all[0].field: "form" is not known of a contact',
  )
  expect(await refusedAs(all({ field: 'answer:NPS', at_most: '6' }), 'response')).toBe(
    'when.all[0].at_most: must be a number',
  )
})

describe('what conditions name', () => {
  let acme: TestTenant
  let other: TestTenant
  const refused = (tenant: TestTenant, condition: object, subject: 'ticket' | 'response' = 'ticket') => {
    const when = parseConditions({ any: [condition] }, 'when', subject)
    return refusalOf(checkNamed(app.database.db, tenant.tenantId, when, 'when'))
  }
  const known: Record<string, [object, 'ticket' | 'response', string]> = {}

  beforeAll(async () => {
    acme = await app.createTenant()
    other = await app.createTenant('Other')
    const inbox = await createEmailInbox(acme)
    const team = await acme.perform((tx, caller) => createTeam(tx, caller, { name: 'Billing', memberIds: [] }))
    const form = await createPublished(acme, [{ type: 'nps', text: 'How?', friendlyId: 'NPS' }])
    const group = await createTestGroup(acme)
    const organisation = await createTestOrganisation(acme)
    const ticket = await createTicket(acme, { inboxId: inbox.id })
    await acme.put(`/v1/tickets/${ticket.id}/tags`, { tags: ['VIP'] })
    await acme.perform(async (tx, caller) => {
      const field = await createCustomField(tx, caller, { name: 'Plan' })
      await setCustomValue(tx, caller, {
        contactId: ticket.contactId as string,
        fieldId: field.id,
        value: { stringValue: 'pro' },
      })
    })
    Object.assign(known, {
      inbox: [{ field: 'inbox', is: inbox.id.toUpperCase() }, 'ticket', '.is: there is no such inbox'],
      team: [{ field: 'team', is_not: team.id }, 'ticket', '.is_not: there is no such team'],
      user: [{ field: 'assignee', one_of: [acme.userId] }, 'ticket', '.one_of[0]: there is no such user'],
      form: [{ field: 'form', is: form.id }, 'response', '.is: there is no such form'],
      group: [{ field: 'contact.group', is: group.id }, 'ticket', `.is: there is no group ${group.id}`],
      organisation: [
        { field: 'contact.organisation', is: organisation.id },
        'ticket',
        '.is: there is no such organisation',
      ],
      tag: [{ field: 'tag', is: 'vip' }, 'ticket', '.is: there is no such tag'],
      'custom field': [{ field: 'contact.custom:plan', is: 'x' }, 'ticket', '.field: there is no such custom field'],
    })
  })

  test.each(['inbox', 'team', 'user', 'form', 'group', 'organisation', 'tag', 'custom field'])(
    'is the tenant’s own, and no other’s: %s',
    async (kind) => {
      const [condition, subject, message] = known[kind] as (typeof known)[string]
      expect(await refused(acme, condition, subject)).toBe('it was not refused')
      expect(await refused(other, condition, subject)).toBe(`when.any[0]${message}`)
    },
  )

  test.each(['x', '\u0000', '00000000-0000-0000-0000-000000000000', "' OR 1=1"])('is not %p', async (id) => {
    for (const field of ['inbox', 'team', 'assignee', 'contact.group', 'contact.organisation', 'tag']) {
      expect(await refused(acme, { field, is: id })).toStartWith('when.any[0].is: there is no ')
    }
  })

  test('is a question of the form, where a form is named', async () => {
    const { form } = known as Record<string, [object, 'ticket' | 'response', string]>
    const ask = (field: string) => {
      const when = parseConditions({ all: [form?.[0], { field, empty: false }] }, 'when', 'response')
      return refusalOf(checkNamed(app.database.db, acme.tenantId, when, 'when'))
    }
    expect(await ask('answer:NPS')).toBe('it was not refused')
    expect(await ask('answer:NSP')).toBe('when.all[1].field: no question of the form has this friendlyId')
    expect(await ask('hidden:campaign')).toBe('when.all[1].field: the form has no such hidden field')
  })
})
