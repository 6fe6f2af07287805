import { type FormTemplate, fields, when } from './template.ts'

/** Of people who begin at a company: what they need depends on where they work. */
export const onboarding: FormTemplate = {
  motifs: ['ticks', 'date'],
  make(say) {
    const home = say('At home', 'Zu Hause')
    const both = say('Some of each', 'Mal so, mal so')
    return {
      title: say('Welcome to the team', 'Willkommen im Team'),
      description: say(
        '<p>So that everything is ready on your first day.</p>',
        '<p>Damit an Ihrem ersten Tag alles bereitsteht.</p>',
      ),
      pages: [
        {
          title: say('About you', 'Zu Ihnen'),
          questions: [
            {
              type: 'contact_details',
              required: true,
              text: say('Who are you?', 'Wer sind Sie?'),
              contactFields: fields('first_name', 'last_name', 'email', 'phone_number'),
            },
            { type: 'date', required: true, text: say('When is your first day?', 'Wann ist Ihr erster Tag?') },
            {
              type: 'contact_details',
              text: say('Whom do we call in an emergency?', 'Wen rufen wir im Notfall an?'),
              contactFields: fields('first_name', 'last_name', 'phone_number'),
            },
          ],
        },
        {
          title: say('How you work', 'Wie Sie arbeiten'),
          questions: [
            {
              type: 'choose_one',
              friendlyId: 'PLACE',
              required: true,
              text: say('Where will you work?', 'Wo werden Sie arbeiten?'),
              options: [say('In the office', 'Im Büro'), home, both],
            },
            {
              type: 'contact_details',
              required: true,
              text: say('Where do we send your equipment?', 'Wohin schicken wir Ihre Ausstattung?'),
              contactFields: fields('address_line_1', 'zip_code', 'city', 'country'),
              showIf: when('PLACE', 'one_of', [home, both]),
            },
            {
              type: 'choose_one',
              text: say('Which computer would you like?', 'Welchen Rechner möchten Sie?'),
              options: ['Mac', 'Windows', 'Linux'],
            },
            {
              type: 'choose_any',
              text: say('What else do you need?', 'Was brauchen Sie noch?'),
              options: [
                say('A second screen', 'Einen zweiten Bildschirm'),
                say('A headset', 'Ein Headset'),
                say('A desk of adjustable height', 'Einen höhenverstellbaren Tisch'),
              ],
              otherText: say('Something else', 'Etwas anderes'),
            },
          ],
        },
        {
          title: say('Papers', 'Unterlagen'),
          questions: [
            {
              type: 'file_upload',
              text: say('What payroll needs', 'Was die Lohnabrechnung braucht'),
              fileUploadSlots: [say('Health insurance', 'Krankenversicherung'), say('Bank details', 'Bankverbindung')],
            },
            {
              type: 'signature',
              required: true,
              text: say('I have read the house rules.', 'Ich habe die Hausordnung gelesen.'),
            },
          ],
        },
      ],
    }
  },
}
