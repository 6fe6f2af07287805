import { type FormTemplate, fields, when } from './template.ts'

/** Asks by what somebody is interested in. */
export const lead: FormTemplate = {
  motifs: ['fields', 'choices'],
  make(say) {
    const quote = say('A quote', 'Ein Angebot')
    const demo = say('A demonstration', 'Eine Vorführung')
    return {
      title: say('Talk to us', 'Sprechen Sie mit uns'),
      description: say(
        '<p>Tell us briefly what it is about. We get back to you within one working day.</p>',
        '<p>Sagen Sie uns kurz, worum es geht. Wir melden uns innerhalb eines Werktags.</p>',
      ),
      pages: [
        {
          questions: [
            {
              type: 'choose_one',
              friendlyId: 'INTEREST',
              required: true,
              text: say('What would you like?', 'Was möchten Sie?'),
              options: [quote, demo, say('Some advice', 'Eine Beratung')],
              otherText: say('Something else', 'Etwas anderes'),
            },
            {
              type: 'numeric',
              text: say('For how many people?', 'Für wie viele Personen?'),
              showIf: when('INTEREST', 'is', quote),
            },
            {
              type: 'dropdown',
              text: say('When would you like to start?', 'Wann möchten Sie beginnen?'),
              options: [
                say('At once', 'Sofort'),
                say('Within three months', 'In den nächsten drei Monaten'),
                say('Later', 'Später'),
              ],
              showIf: when('INTEREST', 'is', quote),
            },
            {
              type: 'date',
              collectTime: true,
              text: say('When would suit you?', 'Wann passt es Ihnen?'),
              showIf: when('INTEREST', 'is', demo),
            },
            {
              type: 'textbox',
              rows: 4,
              text: say('What should we know beforehand?', 'Was sollten wir vorab wissen?'),
            },
            {
              type: 'contact_details',
              required: true,
              text: say('Where can we reach you?', 'Wie erreichen wir Sie?'),
              contactFields: fields('first_name', 'last_name', 'company', 'email', 'phone_number'),
            },
          ],
        },
      ],
    }
  },
}
