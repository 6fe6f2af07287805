import * as answer from '../answers.ts'
import { pictures, signed } from '../tickets/attachments.ts'
import { grantPlans } from '../tickets/phrases.ts'
import { type DemoForm, visible } from './form.ts'

const EXTRAS = ['Coffee and cake', 'Tour of the workshop', 'Talk: pricing for small hosts', 'Talk: fewer no-shows']

export const openHouse: DemoForm = {
  form: {
    title: 'Open house in the boat shed',
    description: '<p>Come and meet us. There is <em>cake</em>.</p>',
    active: true,
  },
  workspace: 'main',
  createdDaysAgo: 50,
  closedDaysAgo: 12,
  responses: 210,
  abandoned: 0.08,
  named: 1,
  pages: [
    {
      questions: [
        {
          ask: {
            type: 'contact_details',
            text: 'Who is coming?',
            required: true,
            contactFields: [
              { field: 'first_name', visible: true },
              { field: 'last_name', visible: true },
              { field: 'email', visible: true, label: 'Where do we send the invitation?' },
              { field: 'city', visible: true },
            ],
          },
          answer: answer.details('first_name', 'last_name', 'email', 'city'),
        },
        {
          ask: { type: 'numeric', text: 'How many guests do you bring?' },
          answer: ({ random }) =>
            random.weighted([
              [0, 5],
              [1, 6],
              [2, 2],
              [3, 1],
            ] as const),
        },
        {
          ask: { type: 'choose_any', text: 'What would you like to do?', options: EXTRAS, maxSelections: 3 },
          answer: answer.someOf(EXTRAS, 1, 3),
        },
        {
          ask: { type: 'date', text: 'When will you arrive?', collectTime: true },
          answer: answer.sometimes(0.7, answer.afternoonAround(8, 20)),
        },
        {
          ask: { type: 'binary', text: 'Do you need step-free access?', icon: 'tick_cross' },
          answer: ({ random }) => random.chance(0.11),
        },
      ],
    },
  ],
}

export const grant: DemoForm = {
  form: {
    title: 'Small hosts fund: application',
    description: '<p>We give away five grants a year to hosts who open their doors a little wider.</p>',
    active: true,
  },
  settings: { later: true },
  workspace: 'main',
  createdDaysAgo: 41,
  responses: 56,
  abandoned: 0.3,
  named: 1,
  pages: [
    {
      title: 'Your project',
      questions: [
        {
          ask: { type: 'textbox', text: 'What would you do with the grant?', rows: 8, required: true },
          answer: answer.says(grantPlans),
        },
        {
          ask: {
            type: 'date_range',
            text: 'From when to when?',
            startDatePlaceholder: 'First day',
            endDatePlaceholder: 'Last day',
          },
          answer: answer.stay,
        },
        {
          ask: { type: 'textbox', text: 'Your website', inputLimitation: 'url' },
          answer: ({ person }) => (person?.organisation ? `https://www.${person.email.split('@')[1]}/` : null),
        },
      ],
    },
    {
      title: 'You',
      questions: [
        {
          ask: {
            type: 'contact_details',
            text: 'Who applies?',
            required: true,
            contactFields: visible('first_name', 'last_name', 'email'),
          },
          answer: answer.details('first_name', 'last_name', 'email'),
        },
        {
          ask: { type: 'file_upload', text: 'Show us your place', fileUploadSlots: ['A photo', 'A plan or sketch'] },
          answer: answer.sometimes(0.6, pictures),
        },
        {
          ask: { type: 'signature', text: 'I have read the terms of the fund.' },
          answer: answer.sometimes(0.8, signed),
        },
      ],
    },
  ],
}
