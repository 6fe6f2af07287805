import { expect, test } from 'bun:test'
import { evaluate } from '../../src/conditions/evaluate.ts'
import { value } from '../../src/conditions/facts.ts'
import type { Facts } from '../../src/conditions/model.ts'
import { conditionsAsJson, parseConditions } from '../../src/conditions/parse.ts'

const ticket: Facts = new Map([
  ['subject', value(['Where is my ORDER?'], null)],
  ['priority', value(['high'], null)],
  ['tag', value(['VIP', 'Übergröße'], null)],
  ['to', value(['help@acme.test', 'Sales@acme.test'], null)],
  ['automatic', value(['false'], null)],
  ['contact.custom:plan', value(['Pro'], null)],
  ['contact.custom:seats', value(['12'], 12)],
])
const response: Facts = new Map([
  ['answer:nps', value(['0'], 0)],
  ['answer:why', value(['Too slow.'], null)],
  ['answer:likes', value(['Price', 'Support, mostly'], null)],
  ['score', value([], 62.5)],
])

const holds = (when: unknown, facts = ticket, subject: 'ticket' | 'response' = 'ticket') =>
  evaluate(parseConditions(when, 'when', subject), facts)
const isSo = (condition: object) => holds({ all: [condition] }).holds
const isSoOfResponse = (condition: object) => holds({ all: [condition] }, response, 'response').holds

test.each([
  [{ field: 'subject', is: 'where is my order?' }, true],
  [{ field: 'subject', is: 'where is my order' }, false],
  [{ field: 'subject', is_not: 'order' }, true],
  [{ field: 'subject', contains: 'my order' }, true],
  [{ field: 'subject', contains_not: 'ORDER' }, false],
  [{ field: 'subject', starts_with: 'WHERE' }, true],
  [{ field: 'subject', starts_with: 'order' }, false],
  [{ field: 'subject', contains: '.*' }, false],
  [{ field: 'priority', one_of: ['low', 'high'] }, true],
  [{ field: 'priority', one_of: ['low', 'normal'] }, false],
  [{ field: 'tag', is: 'vip' }, true],
  [{ field: 'tag', is_not: 'vip' }, false],
  [{ field: 'tag', is: 'ÜBERGRÖßE' }, true],
  [{ field: 'tag', is: 'U\u0308bergro\u0308ße' }, true],
  [{ field: 'tag', contains: 'größe' }, true],
  [{ field: 'tag', empty: false }, true],
  [{ field: 'to', is: 'sales@acme.test' }, true],
  [{ field: 'to', starts_with: 'sales@' }, true],
  [{ field: 'text', empty: true }, true],
  [{ field: 'text', contains_not: 'refund' }, true],
  [{ field: 'text', contains: 'refund' }, false],
  [{ field: 'automatic', is: false }, true],
  [{ field: 'automatic', is_not: false }, false],
  [{ field: 'contact.custom:PLAN', is: 'pro' }, true],
  [{ field: 'contact.custom:Seats', at_least: 12 }, true],
  [{ field: 'contact.custom:Seats', at_most: 11.5 }, false],
  [{ field: 'contact.custom:Missing', at_least: 0 }, false],
  [{ field: 'contact.custom:Missing', empty: true }, true],
])('of a ticket, %o: %p', (condition, expected) => expect(isSo(condition)).toBe(expected))

test.each([
  [{ field: 'answer:NPS', at_most: 6 }, true],
  [{ field: 'answer:NPS', is: 0 }, true],
  [{ field: 'answer:NPS', empty: true }, false],
  [{ field: 'answer:LIKES', is: 'support, mostly' }, true],
  [{ field: 'answer:LIKES', is: 'Support' }, false],
  [{ field: 'answer:LIKES', one_of: ['speed', 'price'] }, true],
  [{ field: 'answer:OTHER', at_most: 6 }, false],
  [{ field: 'answer:WHY', at_most: 6 }, false],
  [{ field: 'score', at_least: 62.5 }, true],
  [{ field: 'score', is: 62 }, false],
])('of a response, %o: %p', (condition, expected) => expect(isSoOfResponse(condition)).toBe(expected))

const yes = { field: 'priority', is: 'high' }
const no = { field: 'priority', is: 'low' }

test.each([
  [undefined, null],
  [{ all: [yes, yes] }, null],
  [{ all: [yes, no, no] }, 'all[1]'],
  [{ any: [no, yes] }, null],
  [{ any: [no, no] }, 'any[0]'],
  [{ all: [yes, { any: [no, yes] }] }, null],
  [{ all: [yes, { any: [no, no] }] }, 'all[1].any[0]'],
  [{ any: [no, { all: [yes, yes] }] }, null],
  [{ any: [{ all: [yes, no] }, no] }, 'any[0].all[1]'],
])('%o: the first that failed is %p', (when, failed) => {
  const outcome = holds(when)
  expect(outcome).toEqual(failed === null ? { holds: true } : { holds: false, failed })
})

test('what was checked is given back as it was given', () => {
  const when = {
    any: [
      { field: 'tag', one_of: ['VIP', 'b'] },
      {
        all: [
          { field: 'subject', is_not: 'A' },
          { field: 'contact.custom:Seats', at_most: 3 },
        ],
      },
      { field: 'automatic', is: true },
      { field: 'text', empty: false },
    ],
  }
  expect(conditionsAsJson(parseConditions(when, 'when', 'ticket') as never)).toEqual(when)
})

test('a hundred conditions over a long text take next to no time', () => {
  const long: Facts = new Map([['text', value(['x'.repeat(50_000)], null)]])
  const members = Array.from({ length: 50 }, (_, index) => ({ field: 'text', contains: `${'x'.repeat(400)}${index}` }))
  expect(holds({ any: members }, long).holds).toBe(false)
})
