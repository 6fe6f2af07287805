import { type FormTemplate, fields, when } from './template.ts'

/** Asks for the browser where it matters, and for a telephone number where it is urgent. */
export const bug: FormTemplate = {
  motifs: ['text', 'file'],
  make(say) {
    const website = say('On the website', 'Auf der Website')
    const stuck = say('I cannot go on', 'Ich komme nicht weiter')
    return {
      title: say('Report a problem', 'Ein Problem melden'),
      pages: [
        {
          questions: [
            {
              type: 'textbox',
              rows: 4,
              required: true,
              text: say('What went wrong?', 'Was ist schiefgegangen?'),
            },
            {
              type: 'textbox',
              rows: 4,
              text: say('What did you do just before?', 'Was haben Sie unmittelbar davor getan?'),
            },
            {
              type: 'choose_one',
              friendlyId: 'PLACE',
              required: true,
              text: say('Where did it happen?', 'Wo ist es passiert?'),
              options: [website, say('In the app on a phone', 'In der App auf dem Telefon')],
              otherText: say('Somewhere else', 'Woanders'),
            },
            {
              type: 'dropdown',
              text: say('In which browser?', 'In welchem Browser?'),
              options: ['Chrome', 'Safari', 'Firefox', 'Edge'],
              otherText: say('Another one', 'In einem anderen'),
              showIf: when('PLACE', 'is', website),
            },
            {
              type: 'file_upload',
              text: say('Can you show it to us?', 'Können Sie es uns zeigen?'),
              fileUploadSlots: [say('Screenshots', 'Bildschirmfotos')],
              maxFiles: 5,
            },
            {
              type: 'choose_one',
              friendlyId: 'SEVERITY',
              required: true,
              text: say('How bad is it?', 'Wie schlimm ist es?'),
              options: [
                stuck,
                say('It is a nuisance', 'Es ist lästig'),
                say('I only wanted to tell you', 'Ich wollte es nur sagen'),
              ],
            },
            {
              type: 'textbox',
              inputLimitation: 'telephone',
              text: say('At which number can we call you?', 'Unter welcher Nummer können wir Sie anrufen?'),
              showIf: when('SEVERITY', 'is', stuck),
            },
            {
              type: 'contact_details',
              text: say('Who shall we tell once it works?', 'Wem sagen wir Bescheid, wenn es geht?'),
              contactFields: fields('first_name', 'email'),
            },
          ],
        },
      ],
      ends: [
        {
          showIf: when('SEVERITY', 'is', stuck),
          thanks: say('<p>Thank you. We are looking at it now.</p>', '<p>Vielen Dank. Wir sehen es uns jetzt an.</p>'),
        },
      ],
    }
  },
}
