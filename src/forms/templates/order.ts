import { type FormTemplate, fields, from, when } from './template.ts'

/** The price comes of what is ordered, in cents, and postage of whether it is sent. */
export const order: FormTemplate = {
  motifs: ['fields', 'sum'],
  make: (say) => ({
    title: say('Order coffee', 'Kaffee bestellen'),
    variables: [
      { name: 'GOODS', formula: '{ESPRESSO} * 1150 + {FILTER} * 990 + {CUPS} * 1400' },
      { name: 'TOTAL', formula: '{GOODS} + {BY_POST} * 490' },
    ],
    pages: [
      {
        title: say('What would you like?', 'Was möchten Sie?'),
        questions: [
          {
            type: 'textbox',
            inputLimitation: 'integer',
            friendlyId: 'ESPRESSO',
            text: say('Espresso, 500 g, at €11.50: how many bags?', 'Espresso, 500 g zu 11,50 €: wie viele Packungen?'),
          },
          {
            type: 'textbox',
            inputLimitation: 'integer',
            friendlyId: 'FILTER',
            text: say(
              'Filter coffee, 500 g, at €9.90: how many bags?',
              'Filterkaffee, 500 g zu 9,90 €: wie viele Packungen?',
            ),
          },
          {
            type: 'choose_one',
            text: say('How shall we grind it?', 'Wie sollen wir mahlen?'),
            options: [
              say('Not at all', 'Gar nicht'),
              say('For an espresso machine', 'Für die Espressomaschine'),
              say('For a filter', 'Für den Filter'),
            ],
            showIf: {
              match: 'any',
              conditions: [
                { question: 'ESPRESSO', op: 'answered' },
                { question: 'FILTER', op: 'answered' },
              ],
            },
          },
          {
            type: 'textbox',
            inputLimitation: 'integer',
            friendlyId: 'CUPS',
            text: say('Two cups at €14.00: how many sets?', 'Zwei Tassen zu 14,00 €: wie viele Sets?'),
          },
        ],
      },
      {
        title: say('Where does it go?', 'Wohin soll es?'),
        showIf: from('GOODS', 1),
        questions: [
          {
            type: 'binary',
            friendlyId: 'BY_POST',
            required: true,
            text: say('How do you get it?', 'Wie bekommen Sie es?'),
            trueLabel: say('By post, €4.90', 'Per Post, 4,90 €'),
            falseLabel: say('I collect it', 'Ich hole es ab'),
            icon: 'tick_cross',
          },
          {
            type: 'contact_details',
            required: true,
            text: say('Who is it for?', 'Für wen ist es?'),
            contactFields: fields('first_name', 'last_name', 'email'),
          },
          {
            type: 'contact_details',
            required: true,
            text: say('Where do we send it?', 'Wohin schicken wir es?'),
            contactFields: fields('address_line_1', 'zip_code', 'city', 'country'),
            showIf: when('BY_POST', 'is', true),
          },
          {
            type: 'payment',
            required: true,
            text: say('Your order', 'Ihre Bestellung'),
            currency: 'EUR',
            formula: '{TOTAL}',
          },
        ],
      },
    ],
    ends: [
      {
        showIf: { match: 'all', conditions: [{ variable: 'GOODS', op: 'at_most', value: 0 }] },
        thanks: say(
          '<p>You have not ordered anything: there is nothing to pay.</p>',
          '<p>Sie haben nichts bestellt: Es ist nichts zu bezahlen.</p>',
        ),
      },
    ],
  }),
}
