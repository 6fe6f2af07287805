import { type FormTemplate, when } from './template.ts'

/** Asks those who were not content what it was. */
export const csat: FormTemplate = {
  motifs: ['stars', 'ticks'],
  make: (say) => ({
    title: say('How was our service?', 'Wie war unser Service?'),
    pages: [
      {
        questions: [
          {
            type: 'star_rating',
            friendlyId: 'STARS',
            required: true,
            text: say('How satisfied are you with us overall?', 'Wie zufrieden sind Sie insgesamt mit uns?'),
          },
          {
            type: 'choose_any',
            text: say('What were you not happy with?', 'Womit waren Sie nicht zufrieden?'),
            options: [
              say('How long it took', 'Wie lange es gedauert hat'),
              say('How we spoke to you', 'Wie wir mit Ihnen gesprochen haben'),
              say('What we knew', 'Was wir wussten'),
              say('How it turned out', 'Was dabei herauskam'),
            ],
            otherText: say('Something else', 'Etwas anderes'),
            showIf: when('STARS', 'at_most', 3),
          },
          {
            type: 'textbox',
            rows: 4,
            text: say('What would have made it better?', 'Was hätte es besser gemacht?'),
            showIf: when('STARS', 'at_most', 3),
          },
          {
            type: 'textbox',
            rows: 4,
            text: say('What did we do well?', 'Was haben wir gut gemacht?'),
            showIf: when('STARS', 'at_least', 4),
          },
          {
            type: 'binary',
            icon: 'tick_cross',
            text: say('Is everything settled now?', 'Ist jetzt alles geklärt?'),
          },
        ],
      },
    ],
    ends: [
      {
        showIf: when('STARS', 'at_most', 3),
        thanks: say(
          '<p>Thank you. We are sorry that it was not as it should be, and look at what we can change.</p>',
          '<p>Vielen Dank. Es tut uns leid, dass es nicht so war, wie es sein soll. Wir sehen nach, was wir ändern können.</p>',
        ),
      },
    ],
  }),
}
