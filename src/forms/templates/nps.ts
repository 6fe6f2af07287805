import { type FormTemplate, fields, when } from './template.ts'

/** Asks on by what was answered: those who are content, those who are nearly, and those who are not. */
export const nps: FormTemplate = {
  motifs: ['scale', 'text'],
  mode: 'step',
  make: (say) => ({
    title: say('Would you recommend us?', 'Würden Sie uns weiterempfehlen?'),
    description: say('<p>Two questions, one minute.</p>', '<p>Zwei Fragen, eine Minute.</p>'),
    pages: [
      {
        questions: [
          {
            type: 'nps',
            friendlyId: 'SCORE',
            required: true,
            text: say(
              'How likely are you to recommend us to a friend or colleague?',
              'Wie wahrscheinlich ist es, dass Sie uns Freunden oder Kollegen weiterempfehlen?',
            ),
          },
          {
            type: 'textbox',
            rows: 4,
            text: say('What should we do better?', 'Was sollten wir besser machen?'),
            showIf: when('SCORE', 'at_most', 6),
          },
          {
            type: 'textbox',
            rows: 4,
            text: say('What was missing for a 9 or a 10?', 'Was hat zu einer 9 oder 10 gefehlt?'),
            showIf: {
              match: 'all',
              conditions: [
                { question: 'SCORE', op: 'at_least', value: 7 },
                { question: 'SCORE', op: 'at_most', value: 8 },
              ],
            },
          },
          {
            type: 'textbox',
            rows: 4,
            text: say('What do you like most about us?', 'Was gefällt Ihnen bei uns am besten?'),
            showIf: when('SCORE', 'at_least', 9),
          },
          {
            type: 'binary',
            friendlyId: 'MAY_WRITE',
            text: say('May we write to you about your answer?', 'Dürfen wir Ihnen wegen Ihrer Antwort schreiben?'),
            showIf: when('SCORE', 'at_most', 8),
          },
          {
            type: 'contact_details',
            required: true,
            text: say('Where can we reach you?', 'Wie erreichen wir Sie?'),
            contactFields: fields('first_name', 'email'),
            showIf: when('MAY_WRITE', 'is', true),
          },
        ],
      },
    ],
    ends: [
      {
        showIf: when('SCORE', 'at_least', 9),
        thanks: say(
          '<p>Thank you, we are delighted! If you know somebody who would like us too, do tell them.</p>',
          '<p>Vielen Dank, das freut uns sehr! Wenn Sie jemanden kennen, dem wir auch gefallen könnten, erzählen Sie gern von uns.</p>',
        ),
      },
      {
        showIf: when('SCORE', 'at_most', 6),
        thanks: say(
          '<p>Thank you for being frank. We read every answer and look at what we can change.</p>',
          '<p>Danke für Ihre Offenheit. Wir lesen jede Antwort und sehen nach, was wir ändern können.</p>',
        ),
      },
    ],
  }),
}
