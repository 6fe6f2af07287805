import * as answer from '../answers.ts'
import { wishes } from '../tickets/phrases.ts'
import { type DemoForm, visible } from './form.ts'

export const website: DemoForm = {
  form: { title: 'Website feedback', active: false },
  workspace: 'research',
  createdDaysAgo: 19,
  published: false,
  responses: 0,
  abandoned: 0,
  named: 0,
  pages: [
    {
      questions: [
        {
          ask: { type: 'binary', text: 'Did you find what you were looking for?' },
          answer: answer.content,
        },
        { ask: { type: 'textbox', text: 'What was missing?', rows: 3 }, answer: answer.says(wishes) },
      ],
    },
  ],
}

export const holidays: DemoForm = {
  form: { title: 'Opening hours over the holidays', description: 'Draft: dates to be confirmed.', active: true },
  workspace: 'main',
  createdDaysAgo: 4,
  published: false,
  responses: 0,
  abandoned: 0,
  named: 0,
  pages: [
    {
      questions: [
        { ask: { type: 'date_range', text: 'When are you closed?', required: true }, answer: answer.stay },
        {
          ask: { type: 'contact_details', text: 'For which account?', contactFields: visible('email', 'company') },
          answer: answer.details('email', 'company'),
        },
      ],
    },
  ],
}
