import * as answer from '../answers.ts'
import logo from '../files/logo.png' with { type: 'file' }
import { type DemoForm, visible } from './form.ts'

export const satisfaction: DemoForm = {
  form: {
    title: 'How are we doing?',
    description: '<p>Five questions, <strong>two minutes</strong>. We read every answer.</p>',
    active: true,
  },
  settings: {
    accent: '#0f8f80',
    logo,
    thanks: '<p><strong>Thank you!</strong></p><p>Your answers help us to get a little better every day.</p>',
    hidden: ['campaign'],
  },
  workspace: 'main',
  createdDaysAgo: 86,
  responses: 820,
  abandoned: 0.07,
  named: 0.45,
  pages: [
    {
      questions: [
        {
          ask: {
            type: 'nps',
            text: 'How likely are you to recommend Harbour &amp; Pine to another host?',
            required: true,
            friendlyId: 'RECOMMEND',
          },
          answer: answer.rated(0, 10),
        },
        {
          ask: { type: 'textbox', text: 'What is the main reason for your answer?', rows: 4, friendlyId: 'REASON' },
          answer: answer.sometimes(0.72, answer.remark),
        },
        {
          ask: { type: 'star_rating', text: 'How easy is your daily work with us?', required: true },
          answer: answer.rated(1, 5),
        },
      ],
    },
    {
      title: 'About you',
      questions: [
        {
          ask: {
            type: 'choose_one',
            text: 'What do you run?',
            options: ['Guest house or hotel', 'Studio or classes', 'Venue', 'Rentals'],
            otherText: 'Something else',
          },
          answer: answer.oneOf({ 'Guest house or hotel': 5, 'Studio or classes': 3, Venue: 2, Rentals: 1 }, [
            'A bit of everything',
            'A community garden',
            'Boat trips',
          ]),
        },
        {
          ask: {
            type: 'contact_details',
            text: 'May we get back to you?',
            contactFields: [...visible('first_name', 'last_name', 'email'), { field: 'phone_number' }],
          },
          answer: answer.details('first_name', 'last_name', 'email'),
        },
      ],
    },
  ],
}
