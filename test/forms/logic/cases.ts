import type { Case, CaseForm, CaseQuestion } from './case.ts'
import { typeCases } from './type-cases.ts'

/*
 * What is shown of a form in which case (decisions §21). The service, its page and the guide's client are each tried on
 * all of them. Forms are as they are created; questions are told apart by their friendlyIds.
 */

const when = (...conditions: object[]) => ({ match: 'all', conditions })
const whenAny = (...conditions: object[]) => ({ match: 'any', conditions })
const text = (friendlyId: string, showIf: object | null = null) => ({
  type: 'textbox',
  text: friendlyId,
  friendlyId,
  showIf,
})
const number = (friendlyId: string, showIf: object | null = null) => ({ ...text(friendlyId, showIf), type: 'numeric' })
const onePage = (...questions: CaseQuestion[]): CaseForm => ({ pages: [{ questions }] })

const A = { question: 'A', op: 'is', value: 'yes' }
const B = { question: 'B', op: 'is', value: 'yes' }
const both = onePage(text('A'), text('B'), text('C', when(A, B)))
const either = onePage(text('A'), text('B'), text('C', whenAny(A, B)))
const chain = onePage(
  text('A'),
  text('B', when(A)),
  text('C', when(B)),
  text('D', when({ question: 'B', op: 'not_answered' })),
)

const threePages: CaseForm = {
  pages: [
    { title: 'First', questions: [text('A')] },
    { title: 'Second', showIf: when(A), questions: [text('B'), text('C', when(B))] },
    { title: 'Third', questions: [text('D', when({ question: 'B', op: 'answered' }))] },
    { title: 'Fourth', questions: [text('E')] },
  ],
}

const sums: CaseForm = {
  ...onePage(
    number('SEATS'),
    { ...text('MEAL'), type: 'binary' },
    number('MEALS', when({ question: 'MEAL', op: 'is', value: true })),
    text('BIG', when({ variable: 'TOTAL', op: 'at_least', value: 100 })),
    text('HALF', when({ variable: 'SHARE', op: 'is', value: 2.5 })),
  ),
  variables: [
    { name: 'TOTAL', formula: '{SEATS} * 20 + {FOOD}' },
    { name: 'FOOD', formula: '{MEAL} * {MEALS} * 12' },
    { name: 'SHARE', formula: '({SEATS} - -{MEALS}) / 2' },
    { name: 'NEVER', formula: '{SEATS} / ({MEALS} - {MEALS})' },
  ],
}

const campaign = (op: string, value?: unknown) => onePage(text('A', when({ hidden: 'campaign', op, value })))
const declared = { hiddenFields: ['campaign'], answers: {} }
const spring = { ...declared, hidden: { campaign: 'Spring-2026' } }

const quiz: CaseForm = {
  ...onePage({ ...text('LUCK'), type: 'nps' }, text('WHY', when({ question: 'LUCK', op: 'at_most', value: 6 }))),
  variables: [{ name: 'POINTS', formula: '{LUCK} * 10' }],
  ends: [
    { showIf: when({ variable: 'POINTS', op: 'at_least', value: 90 }), thanks: '<p>Splendid</p>' },
    { showIf: when({ question: 'WHY', op: 'answered' }), redirect: 'https://example.com/sorry' },
    { showIf: when({ question: 'LUCK', op: 'at_least', value: 7 }), thanks: '<p>Good</p>' },
  ],
}

export const cases: readonly Case[] = [
  ...typeCases,
  { name: 'all conditions: both hold', form: both, answers: { A: 'yes', B: 'yes' }, shown: ['A', 'B', 'C'] },
  { name: 'all conditions: one holds', form: both, answers: { A: 'yes', B: 'no' }, shown: ['A', 'B'] },
  { name: 'any condition: one holds', form: either, answers: { B: 'yes' }, shown: ['A', 'B', 'C'] },
  { name: 'any condition: none holds', form: either, answers: { A: 'no' }, shown: ['A', 'B'] },
  {
    name: 'a question that follows from one that follows',
    form: chain,
    answers: { A: 'yes', B: 'yes' },
    shown: ['A', 'B', 'C'],
  },
  {
    name: 'what is not shown counts as without an answer for those behind it',
    form: chain,
    answers: { A: 'no', B: 'yes', C: 'typed before' },
    shown: ['A', 'D'],
  },
  { name: 'a page that is shown', form: threePages, answers: { A: 'yes', B: 'yes' }, shown: ['A', 'B', 'C', 'D', 'E'] },
  {
    name: 'a page that is not shown, and one of which nothing is',
    form: threePages,
    answers: { A: 'no', B: 'yes' },
    shown: ['A', 'E'],
    shownPages: [0, 3],
  },
  {
    name: 'variables that count',
    form: sums,
    answers: { SEATS: 4, MEAL: true, MEALS: 2 },
    shown: ['SEATS', 'MEAL', 'MEALS', 'BIG'],
    variables: { TOTAL: 104, FOOD: 24, SHARE: 3, NEVER: 0 },
  },
  {
    name: 'what is not shown is 0 in variables',
    form: sums,
    answers: { SEATS: 5, MEAL: false, MEALS: 99 },
    shown: ['SEATS', 'MEAL', 'BIG', 'HALF'],
    variables: { TOTAL: 100, FOOD: 0, SHARE: 2.5, NEVER: 0 },
  },
  {
    name: 'variables without an answer',
    form: sums,
    answers: {},
    shown: ['SEATS', 'MEAL'],
    variables: { TOTAL: 0, FOOD: 0, SHARE: 0, NEVER: 0 },
  },
  { name: 'a hidden value that is it', form: campaign('is', ' spring-2026'), ...spring, shown: ['A'] },
  { name: 'a hidden value that is another', form: campaign('is', 'spring'), ...spring, shown: [], shownPages: [] },
  { name: 'a hidden value that is not it', form: campaign('is_not', 'spring'), ...spring, shown: ['A'] },
  { name: 'a hidden value that holds it', form: campaign('contains', 'SPRING'), ...spring, shown: ['A'] },
  { name: 'a hidden value that does not hold it', form: campaign('contains_not', '2025'), ...spring, shown: ['A'] },
  {
    name: 'a hidden value that is one of some',
    form: campaign('one_of', ['a', 'spring-2026']),
    ...spring,
    shown: ['A'],
  },
  { name: 'a hidden value that came', form: campaign('answered'), ...spring, shown: ['A'] },
  { name: 'a hidden value that did not come', form: campaign('not_answered'), ...declared, shown: ['A'] },
  {
    name: 'a missing hidden value is not another',
    form: campaign('is_not', 'spring'),
    ...declared,
    shown: [],
    shownPages: [],
  },
  { name: 'the first end', form: quiz, answers: { LUCK: 9 }, shown: ['LUCK'], variables: { POINTS: 90 }, end: 0 },
  {
    name: 'the second end',
    form: quiz,
    answers: { LUCK: 3, WHY: 'because' },
    shown: ['LUCK', 'WHY'],
    variables: { POINTS: 30 },
    end: 1,
  },
  {
    name: 'an end that asks for what is not shown is passed over',
    form: quiz,
    answers: { LUCK: 7, WHY: 'typed before' },
    shown: ['LUCK'],
    variables: { POINTS: 70 },
    end: 2,
  },
  { name: 'no end holds', form: quiz, answers: { LUCK: 6 }, shown: ['LUCK', 'WHY'], variables: { POINTS: 60 } },
]
