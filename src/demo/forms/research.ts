import * as answer from '../answers.ts'
import { wishes } from '../tickets/phrases.ts'
import type { DemoForm } from './form.ts'

const FEATURES = ['Waiting lists', 'Gift vouchers', 'Housekeeping tasks', 'Group bookings', 'Door codes']

export const roadmap: DemoForm = {
  form: { title: 'What should we build next?', description: 'For our research panel.', active: true },
  workspace: 'research',
  createdDaysAgo: 62,
  closedDaysAgo: 27,
  responses: 260,
  abandoned: 0.15,
  named: 0,
  pages: [
    {
      questions: [
        {
          ask: {
            type: 'ranking',
            text: 'Put these in your order, the best idea first.',
            rankOptions: FEATURES,
            required: true,
          },
          answer: answer.inOrder(FEATURES),
        },
        {
          ask: {
            type: 'likert_slider',
            text: 'Would you rather have something new, or what is there made better?',
            scales: [{ text: 'Something new', opposingText: 'Made better' }],
            scaleStart: 0,
            scaleEnd: 100,
          },
          answer: ({ random }) => [{ scale: 0, value: Math.min(100, Math.max(0, Math.round(random.normal(61, 24)))) }],
        },
        {
          ask: { type: 'textbox', text: 'One thing you have been missing?', rows: 2 },
          answer: answer.sometimes(0.65, answer.says(wishes)),
        },
      ],
    },
  ],
}

export const oldPricing: DemoForm = {
  form: { title: 'Pricing survey (old)', active: true },
  workspace: 'research',
  createdDaysAgo: 78,
  closedDaysAgo: 66,
  trashedDaysAgo: 60,
  responses: 74,
  abandoned: 0.1,
  named: 0,
  pages: [
    {
      questions: [
        {
          ask: { type: 'likert', text: 'Our prices are fair.', required: true },
          answer: answer.each(1, 'scale', 'value', answer.rated(1, 5)),
        },
      ],
    },
  ],
}
