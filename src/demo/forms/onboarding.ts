import * as answer from '../answers.ts'
import { type DemoForm, visible } from './form.ts'

const TOPICS = ['Setting up', 'Daily work', 'Reports', 'Help and advice']
const DEVICES = ['Desktop computer', 'Laptop', 'Tablet', 'Phone']

export const firstMonth: DemoForm = {
  form: { title: 'Your first month', active: true },
  workspace: 'main',
  createdDaysAgo: 80,
  responses: 340,
  abandoned: 0.12,
  named: 0.8,
  pages: [
    {
      title: 'Getting started',
      questions: [
        {
          ask: { type: 'date', text: 'When did you take your first booking with us?', datePlaceholder: 'Day' },
          answer: answer.sometimes(0.85, answer.dayAround(-32, -2)),
        },
        {
          ask: {
            type: 'numeric',
            text: 'How many bookings do you take in a usual week?',
            friendlyId: 'WEEKLY_BOOKINGS',
          },
          answer: ({ random }) => Math.max(1, Math.round(Math.exp(random.normal(2.9, 0.8)))),
        },
        {
          ask: { type: 'multi_dropdown', text: 'Where do you use it?', options: DEVICES, minSelections: 1 },
          answer: answer.someOf(DEVICES, 1, 3),
        },
      ],
    },
    {
      title: 'How it went',
      questions: [
        {
          ask: {
            type: 'matrix',
            text: 'How content are you with each of these?',
            rowHeadings: TOPICS,
            columnHeadings: ['Not at all', 'A little', 'Mostly', 'Completely', 'Does not apply'],
            lastColumnIsNotWeighted: true,
            required: true,
          },
          answer: answer.each(TOPICS.length, 'row', 'column', (who) =>
            who.random.chance(0.08) ? 4 : answer.rated(0, 3)(who),
          ),
        },
        {
          ask: { type: 'textbox', text: 'What should we do better?', rows: 4 },
          answer: answer.sometimes(0.6, answer.remark),
        },
        {
          ask: {
            type: 'contact_details',
            text: 'Who are you?',
            contactFields: visible('first_name', 'last_name', 'email', 'company'),
          },
          answer: answer.details('first_name', 'last_name', 'email', 'company'),
        },
      ],
    },
  ],
}

export const seats: DemoForm = {
  form: { title: 'Order more seats', active: true },
  workspace: 'main',
  createdDaysAgo: 74,
  responses: 130,
  abandoned: 0.2,
  named: 1,
  pages: [
    {
      questions: [
        {
          ask: { type: 'dropdown', text: 'For which plan?', options: ['Starter', 'Team', 'Business'], required: true },
          answer: answer.oneOf({ Starter: 2, Team: 5, Business: 2 }),
        },
        {
          ask: { type: 'numeric', text: 'How many seats?', required: true, friendlyId: 'SEATS' },
          answer: ({ random }) =>
            random.weighted([
              [1, 6],
              [2, 5],
              [3, 3],
              [5, 3],
              [10, 1],
            ] as const),
        },
        {
          ask: {
            type: 'payment',
            text: 'For the rest of this year',
            currency: 'EUR',
            formula: '{SEATS} * 2400',
            required: true,
          },
          answer: () => ({}),
        },
        {
          ask: {
            type: 'contact_details',
            text: 'Who orders?',
            required: true,
            contactFields: visible('first_name', 'last_name', 'email', 'company', 'phone_number'),
          },
          answer: answer.details('first_name', 'last_name', 'email', 'company', 'phone_number'),
        },
      ],
    },
  ],
}
