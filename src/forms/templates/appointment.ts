import { type FormTemplate, fields, when } from './template.ts'

/** A wish, which somebody confirms: new customers are asked more, and nobody for what they are not called by. */
export const appointment: FormTemplate = {
  motifs: ['date', 'choices'],
  make(say) {
    const phone = say('By telephone', 'Telefonisch')
    return {
      title: say('Ask for an appointment', 'Einen Termin anfragen'),
      description: say(
        '<p>Tell us when it would suit you. We confirm the appointment, or suggest another one.</p>',
        '<p>Sagen Sie uns, wann es Ihnen passt. Wir bestätigen den Termin oder schlagen einen anderen vor.</p>',
      ),
      pages: [
        {
          questions: [
            {
              type: 'dropdown',
              required: true,
              text: say('What is it about?', 'Worum geht es?'),
              options: [say('Advice', 'Beratung'), say('Repair', 'Reparatur'), say('Collecting something', 'Abholung')],
              otherText: say('Something else', 'Etwas anderes'),
            },
            {
              type: 'date',
              friendlyId: 'WISH',
              collectTime: true,
              required: true,
              text: say('When would you like to come?', 'Wann möchten Sie kommen?'),
            },
            {
              type: 'date',
              collectTime: true,
              text: say('And if that is taken?', 'Und falls das nicht geht?'),
              showIf: when('WISH', 'answered'),
            },
            {
              type: 'binary',
              friendlyId: 'FIRST_TIME',
              icon: 'tick_cross',
              text: say('Is it your first visit?', 'Sind Sie zum ersten Mal bei uns?'),
            },
            {
              type: 'textbox',
              text: say('How did you hear of us?', 'Wie haben Sie von uns erfahren?'),
              showIf: when('FIRST_TIME', 'is', true),
            },
            {
              type: 'choose_one',
              friendlyId: 'ANSWER_BY',
              required: true,
              text: say('How shall we answer?', 'Wie sollen wir antworten?'),
              options: [say('By email', 'Per E-Mail'), phone],
            },
            {
              type: 'contact_details',
              required: true,
              text: say('Where can we reach you?', 'Wie erreichen wir Sie?'),
              contactFields: fields('first_name', 'last_name', 'email'),
            },
            {
              type: 'textbox',
              inputLimitation: 'telephone',
              required: true,
              text: say('At which number?', 'Unter welcher Nummer?'),
              showIf: when('ANSWER_BY', 'is', phone),
            },
          ],
        },
      ],
      ends: [
        {
          showIf: when('ANSWER_BY', 'is', phone),
          thanks: say('<p>Thank you. We call you soon.</p>', '<p>Vielen Dank. Wir rufen Sie bald an.</p>'),
        },
      ],
    }
  },
}
