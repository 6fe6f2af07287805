import { type FormTemplate, fields, when } from './template.ts'

/** Asks for an address of nobody who has not consented. */
export const newsletter: FormTemplate = {
  motifs: ['ticks', 'signature'],
  make: (say) => ({
    title: say('Our newsletter', 'Unser Newsletter'),
    description: say('<p>Once a month, never more.</p>', '<p>Einmal im Monat, nie öfter.</p>'),
    pages: [
      {
        questions: [
          {
            type: 'choose_any',
            text: say('What would you like to read about?', 'Worüber möchten Sie lesen?'),
            options: [say('News', 'Neues'), say('Events', 'Veranstaltungen'), say('Offers', 'Angebote')],
          },
          {
            type: 'binary',
            friendlyId: 'CONSENT',
            required: true,
            icon: 'tick_cross',
            text: say(
              'Do you agree to our sending you the newsletter by email? You can withdraw at any time, by the link in each of them.',
              'Sind Sie einverstanden, dass wir Ihnen den Newsletter per E-Mail senden? Sie können das jederzeit widerrufen, über den Link in jeder Ausgabe.',
            ),
            trueLabel: say('I agree', 'Ich bin einverstanden'),
            falseLabel: say('No, thank you', 'Nein, danke'),
          },
          {
            type: 'contact_details',
            required: true,
            text: say('Where shall we send it?', 'Wohin sollen wir ihn senden?'),
            contactFields: fields('first_name', 'email'),
            showIf: when('CONSENT', 'is', true),
          },
        ],
      },
    ],
    ends: [
      {
        showIf: when('CONSENT', 'is', true),
        thanks: say(
          '<p>Thank you! The next one is yours.</p>',
          '<p>Vielen Dank! Die nächste Ausgabe geht auch an Sie.</p>',
        ),
      },
      {
        showIf: null,
        thanks: say('<p>All right: we will not write to you.</p>', '<p>In Ordnung: Wir schreiben Ihnen nicht.</p>'),
      },
    ],
  }),
}
