import { type FormTemplate, fields, when } from './template.ts'

/** A yes leads to guests and meals, a no to a word of regret. */
export const event: FormTemplate = {
  motifs: ['thumbs', 'fields'],
  make: (say) => ({
    title: say('Summer party', 'Sommerfest'),
    description: say(
      '<p>Friday, 19 June, from 6 pm, in our courtyard. Please tell us by 5 June whether you will be there.</p>',
      '<p>Freitag, 19. Juni, ab 18 Uhr, in unserem Hof. Bitte sagen Sie uns bis zum 5. Juni, ob Sie dabei sind.</p>',
    ),
    pages: [
      {
        questions: [
          {
            type: 'contact_details',
            required: true,
            text: say('Who are you?', 'Wer sind Sie?'),
            contactFields: fields('first_name', 'last_name', 'email'),
          },
          {
            type: 'binary',
            friendlyId: 'COMING',
            required: true,
            text: say('Will you be there?', 'Sind Sie dabei?'),
          },
          {
            type: 'numeric',
            friendlyId: 'GUESTS',
            text: say('How many guests will you bring?', 'Wie viele Gäste bringen Sie mit?'),
            showIf: when('COMING', 'is', true),
          },
          {
            type: 'textbox',
            rows: 3,
            text: say('What are their names?', 'Wie heißen sie?'),
            showIf: when('GUESTS', 'at_least', 1),
          },
          {
            type: 'choose_any',
            text: say('What do you eat?', 'Was essen Sie?'),
            options: [say('Vegan', 'Vegan'), say('Vegetarian', 'Vegetarisch'), say('Everything', 'Alles')],
            otherText: say('No, because of an allergy:', 'Nicht wegen einer Allergie:'),
            showIf: when('COMING', 'is', true),
          },
          {
            type: 'textbox',
            rows: 3,
            text: say('What a pity! Would you like to tell us anything?', 'Schade! Möchten Sie uns noch etwas sagen?'),
            showIf: when('COMING', 'is', false),
          },
        ],
      },
    ],
    ends: [
      {
        showIf: when('COMING', 'is', true),
        thanks: say('<p>You are on the list. See you there!</p>', '<p>Sie stehen auf der Liste. Bis bald!</p>'),
      },
      {
        showIf: when('COMING', 'is', false),
        thanks: say('<p>Thank you for letting us know.</p>', '<p>Danke, dass Sie Bescheid gesagt haben.</p>'),
      },
    ],
  }),
}
