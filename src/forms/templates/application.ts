import { type FormTemplate, fields, when } from './template.ts'

/** Asks by the position that somebody applies for. */
export const application: FormTemplate = {
  motifs: ['fields', 'file'],
  make(say) {
    const engineering = say('Engineering', 'Entwicklung')
    const sales = say('Sales', 'Vertrieb')
    return {
      title: say('Work with us', 'Arbeiten Sie mit uns'),
      description: say(
        '<p>It takes five minutes. No cover letter needed.</p>',
        '<p>Es dauert fünf Minuten. Ein Anschreiben braucht es nicht.</p>',
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
            {
              type: 'dropdown',
              friendlyId: 'POSITION',
              required: true,
              text: say('Which position do you apply for?', 'Auf welche Stelle bewerben Sie sich?'),
              options: [engineering, sales, say('Customer service', 'Kundendienst')],
              otherText: say('Another one', 'Eine andere'),
            },
          ],
        },
        {
          title: say('Your experience', 'Ihre Erfahrung'),
          questions: [
            {
              type: 'textbox',
              inputLimitation: 'url',
              text: say('Where can we see your work?', 'Wo können wir Ihre Arbeit sehen?'),
              showIf: when('POSITION', 'is', engineering),
            },
            {
              type: 'multi_dropdown',
              text: say('Which languages do you negotiate in?', 'In welchen Sprachen verhandeln Sie?'),
              options: [
                say('English', 'Englisch'),
                say('German', 'Deutsch'),
                say('French', 'Französisch'),
                say('Spanish', 'Spanisch'),
              ],
              otherText: say('Another one', 'Eine andere'),
              showIf: when('POSITION', 'is', sales),
            },
            {
              type: 'file_upload',
              text: say('Your documents', 'Ihre Unterlagen'),
              fileUploadSlots: [say('Curriculum vitae', 'Lebenslauf'), say('References', 'Zeugnisse')],
              maxFiles: 5,
            },
            {
              type: 'textbox',
              rows: 5,
              text: say('Why would you like to work here?', 'Warum möchten Sie bei uns arbeiten?'),
            },
            {
              type: 'date',
              text: say('When could you start at the earliest?', 'Wann könnten Sie frühestens anfangen?'),
            },
            {
              type: 'binary',
              friendlyId: 'MAY_WORK',
              required: true,
              icon: 'tick_cross',
              text: say('Do you have a permit to work here?', 'Haben Sie eine Arbeitserlaubnis?'),
            },
            {
              type: 'textbox',
              text: say('What would you need from us for one?', 'Was bräuchten Sie dafür von uns?'),
              showIf: when('MAY_WORK', 'is', false),
            },
          ],
        },
      ],
    }
  },
}
