import type { QuestionType } from './question-types/index.ts'

interface Question {
  readonly type: QuestionType
  readonly text: string
  readonly [field: string]: unknown
}

interface Example {
  readonly summary: string
  readonly value: {
    readonly title: string
    readonly description?: string
    readonly active: boolean
    readonly questions?: readonly Question[]
    readonly pages?: readonly { readonly title?: string; readonly questions: readonly Question[] }[]
  }
}

/** Bodies that create a form, for the documentation and for who begins one: together they hold every question type. */
export const formExamples: Readonly<Record<string, Example>> = {
  short: {
    summary: 'Two questions on one page',
    value: {
      title: 'Customer satisfaction',
      active: true,
      questions: [
        { type: 'nps', text: 'How likely are you to recommend us?', required: true },
        { type: 'choose_one', text: 'Which plan are you on?', options: ['Free', 'Pro'] },
      ],
    },
  },
  survey: {
    summary: 'A survey on two pages',
    value: {
      title: 'How was your stay?',
      description: '<p>It takes <em>three</em> minutes.</p>',
      active: true,
      pages: [
        {
          title: 'Your stay',
          questions: [
            { type: 'star_rating', text: 'How do you rate your room?', required: true, maxStars: 5 },
            {
              type: 'matrix',
              text: 'How were you looked after?',
              rowHeadings: ['At the desk', 'At breakfast'],
              columnHeadings: ['Poor', 'Fair', 'Good', 'Does not apply'],
              lastColumnIsNotWeighted: true,
            },
            {
              type: 'likert',
              text: 'How much do you agree?',
              scales: [{ text: 'The room was noisy', opposingText: 'The room was quiet' }],
              scaleStart: 1,
              scaleEnd: 7,
            },
            {
              type: 'likert_slider',
              text: 'What did you think of the price?',
              scales: [{ text: 'Too high', opposingText: 'Very fair' }],
              scaleStart: 0,
              scaleEnd: 100,
            },
          ],
        },
        {
          title: 'And next time',
          questions: [
            { type: 'binary', text: 'Would you come again?', trueLabel: 'Yes', falseLabel: 'No', icon: 'faces' },
            { type: 'ranking', text: 'What matters most to you?', rankOptions: ['Price', 'Quiet', 'Breakfast'] },
            {
              type: 'choose_any',
              text: 'How did you hear of us?',
              options: ['A friend', 'A search', 'An advertisement'],
              otherText: 'Something else',
              maxSelections: 2,
            },
            { type: 'textbox', text: 'What should we do better?', rows: 4 },
          ],
        },
      ],
    },
  },
  registration: {
    summary: 'A registration with a computed payment',
    value: {
      title: 'Open house',
      active: true,
      questions: [
        {
          type: 'contact_details',
          text: 'Who is coming?',
          required: true,
          contactFields: [
            { field: 'first_name', visible: true },
            { field: 'email', label: 'Where we send the tickets', visible: true },
          ],
        },
        { type: 'dropdown', text: 'Which workshop?', options: ['Pricing', 'Fewer no-shows'] },
        {
          type: 'multi_dropdown',
          text: 'What do you eat?',
          options: ['Vegan', 'Vegetarian', 'Fish'],
          minSelections: 1,
        },
        { type: 'date', text: 'When do you arrive?', collectTime: true },
        { type: 'numeric', text: 'How many seats?', required: true, friendlyId: 'SEATS' },
        { type: 'payment', text: 'Your seats', currency: 'EUR', formula: '{SEATS} * 1200' },
      ],
    },
  },
  application: {
    summary: 'An application with files and a signature',
    value: {
      title: 'Become a host',
      active: true,
      questions: [
        { type: 'file_upload', text: 'Show us your house', fileUploadSlots: ['Photo of the front', 'Floor plan'] },
        { type: 'date_range', text: 'When are you open?', startDatePlaceholder: 'From', endDatePlaceholder: 'To' },
        { type: 'textbox', text: 'Where can we reach you?', inputLimitation: 'telephone', required: true },
        { type: 'signature', text: 'I agree to the terms', required: true },
      ],
    },
  },
}
